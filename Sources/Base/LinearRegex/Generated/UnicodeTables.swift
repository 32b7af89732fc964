// SPDX-License-Identifier: Apache-2.0
// Written by dev/generate-unicode-tables: facts of the Unicode Character Database as RE2 knows them. Do not edit.

/// What regular expressions know of Unicode, in a compact form that `PropertyRanges` and `CaseOrbits` read.
enum UnicodeTables {
    /// General categories made of others.
    static let groups: [String: [String]] = [
        "C": ["Cc", "Cf", "Co", "Cs"],
        "L": ["Ll", "Lm", "Lo", "Lt", "Lu"],
        "M": ["Mc", "Me", "Mn"],
        "N": ["Nd", "Nl", "No"],
        "P": ["Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps"],
        "S": ["Sc", "Sk", "Sm", "So"],
        "Z": ["Zl", "Zp", "Zs"],
    ]

    /// General categories and scripts: for each range the gap before it and its length less one.
    static let properties: [String: String] = [
        "Cc": """
            Af/CgB
            """,
        "Cf": """
            tFAyqBFWAgGAxBAgMBwCAr5DA8/BEaExBEBJv03BA5HChmEAPAi7IPgjiBDvmFHm0rYAe/C
            """,
        "Co": """
            gg4B/nGg4hc9//BC9//B
            """,
        "Cs": """
            gg2B//B
            """,
        "Ll": """
            hDZ6BApBXBHBABABABABABABABABABABABABABABABABABABABABABABABABABABABBBABABABABABABABBBABABABABABABABABABABABABAB\
            ABABABABABABABABABACABABCCABACADBEACADCCACABABACABBBACADABACBCCGACACABABABABABABABABBBABABABABABABABABBCABADAB\
            ABABABABABABABABABABABABABABABABABABABABABABABABABABABABGCACBBAEABABABABkCBahGABADADCSAbiBBBDCBABABABABABABABA\
            BABABABEBACACBzBvBBABABABABABABABABABABABABABABABABAJABABABABABABABABABABABABABABABABABABABABABABABABABABACABA\
            BABABABABBBABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAwBoB\
            n6CqBCC4XFikCI3DrB/BMBhBmDABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB\
            ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABIBABABABABABABABABABABABABABABABABABABABABABAB\
            ABABABABABABABABABABABABABABABABABABABABABABABABABABIIFKHIHIFKHIHINCHIHIHIEBBGADCBBIDCBIHKCBByIADBDAbAEAEACBID\
            EA1BAr1CvBBADBBABABAEABBBFFABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABA\
            BABABABABABABABBHABAEAMlBBAFAzoeABABABABABABABABABABABABABABABABABABABABABABATABABABABABABABABABABABABABAnEABA\
            BABABABABCBABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABHBABACABABABABAEABACABCBABABABABABABA\
            BABABAFAFABABABABABABABAEABAGABABABABAcADA1ZqBFIHvCg6TGMEphBZtmBnBoEjB7EKBOBGBBj4ByBt+CfgsVf6sZZaGBRaZaDBABGBK\
            aZaZaZaZaZaZaZaZabcYBFaYBFaYBFaYBFaYBFBA05BJBTGF3vChB
            """,
        "Lm": """
            wVRELOEHABAlEAFA+OAmHAkFBtIBEAfAJADAgFAnFA0mBA/DA1RA62BArDAjTAwOFuF+BNAiBkBxVANAQM/+CBxHA/FA1OArBEFAhDB9CC24bA\
            inBFuIAyDAcB5DIwCAXApDCDB1OAWApEAsDAVBnDDJAmgVAtBBg/BFBpBBIl8YDviBMgCBBAsgQDBGBBxhM9BpGGtdA/iBA
            """,
        "Lo": """
            qFAPAgIAEDwGA7ZaEDtBfBJjBBBiDBAYBKCCAQABdd4CLAYgBVVqBYHKFXBFRoB7B1BDASAHJQOEHCBCVBGBADDDAQANBBCOBKAIFEBCVBGBBB\
            BBBfDBATCQIBCBVBGBBBEDASAPBXALHCBCVBGBBBEDAeBBCPARABFDCBDDBBABBDBDCDLWA0BHBCBWBPDAaCCACBeAEHBCBWBJBEDAfBBBPBRI\
            BCBoBCAQAFCICYFFRDXBIBACG6BvBBBMF7BBBABEBXBABJBBJACEXDgBA/BHBjBbEzDqBUAQFEDDADBHCEMMAxDoKBDCGBABDCoBBDCgBBDCGB\
            ABDCOB4BBDCiClBPxDrTCQBZFqCGHHRNSOROMBCPzBoBAjCiBB0BHEChBBAFlCKexBdCELrBEZ2BWJ0BwFuBRH2BdNBKrBajBpBCKdxDDBFBBD\
            A6hBD3/C3BYWJGBGBGBGBGBGBGBGnRA1BAE1CIAB5CEAFqBB9CRfwBPgQ/tGgC0wUB2jBjCnBIrIEPKBiCAxBlCpFAnDADGBCBDBWdzBOxB+BF\
            DABBLbKWZcHuBtBECIKEBoBXCBHUPBFDADxBBADBCECABAYBDKHAOFCFCFJGBGxEiBdj9KMWEwBkoItLCpDjCABJBMBEBABBBBBrDhBqLS/BC1\
            BoBL0DEBmEpDJBsBCeDFCFCFCCjBLBZBSBBBOCNiB6DlMcDwBvBfNTBHGlBKdCjBEHgEtCiDnBIzB8E2JJVKH4EFCABrBBBDACWKWJehCSBBKV\
            KZmC3BGBgCAPDBCBcqBcDcjBHBbb1BKVKSNRuDoC3FjB8KpBGBuCcKAIVqBRuBUbWM0B5BBCANsBgBYajBdACAIiBDAMvBODVABAjBRBYTB/BG\
            BABDBOBJHuBmBHCBCVBGBBBEDASAME+E0BSDUCevBUBBA4FuBpBDkBvBUA7BqBNAnCalBG5FrBzGHCACHBBBXPABA+CHCmBQABAcAKnBHAVALt\
            BTASoCnIIBkBRAxBdwDGBBBlBVAZFBBBfOAnKSPABMBhB8DAvC5cmHjGsyCgDPvhBRF59DmS5tI4RHeRuCRdSvBzBUFSwbqCFAvF3/FI1mBqBI\
            33IiJPAdCCAODIrMkoCqDFMDIHJwzIA1PsBhBAhKdSrBkPa1XGBDBBBOBkG7pBDBaBBBACABJBDBABAGAEABABABCBBBACABABABABABBBACDB\
            GBDBDBABJBQFCBEBQkqE/2pBgB5hEG9GCh0FOwpHPtTitC9QivBq6EF/iE
            """,
        "Lt": """
            lOACACAmBA1sHHIHIHMAPAvBA
            """,
        "Lu": """
            hCZlDWBGhBABABABABABABABABABABABABABABABABABABABABABABABABABABABACABABABABABABABACABABABABABABABABABABABABABAB\
            ABABABABABABABABABBBABADBBABBBCCDBBBCDBBBBABABBBACABBBCBABBDAHACACACABABABABABABABACABABABABABABABABACACABCBAB\
            ABABABABABABABABABABABABABABABABABABABABABABABABABABABAHBBBCABDBABABABAhJABADAIAGABCBABBBQBIjBACCDABABABABABAB\
            ABABABABABAFACABBCyBwBABABABABABABABABABABABABABABABABAJABABABABABABABABABABABABABABABABABABABABABABABABABABAB\
            BBABABABABABACABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAC\
            lBp6ClBBAFAyW1C6kCqBCCgKABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB\
            ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAJABABABABABABABABABABABABABABABABABABABABABABAB\
            ABABABABABABABABABABABABABABABABABABABABABABABABABAJHIFKHIHIFLABABABAIHoCDMDMDMELDmIAEADCCCCADEGABABABDCDKBFA9\
            BA8zCvBwBABCCABABABDBACAICBABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABA\
            BABABABABABABAIABAEAtqeABABABABABABABABABABABABABABABABABABABABABABATABABABABABABABABABABABABABAnEABABABABABAB\
            ADABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAKABABBBABABABAEABACABADABABABABABABABABABABEBEB\
            ABABABABABABABDBAGAFABAcAr5VZlmBnBoEjB8EKBOBGBBq3ByBt/CfgsVfgtZZaZaZaABBCACBCDBHaZaBBDCHBGbBBDBEBADGbZaZaZaZaZ\
            aZeYhBYhBYhBYhBYhBA1pEhB
            """,
        "Mc": """
            joCA3BACCIDBByBB6BCGBCBKArBA6BCiCA6BCIABB1BB6BABAGBCBKAmDBBBDCBCKApBC9BD9BB6BABECBBBJBcAOB6BCFCBCKAqBBrCCGHSBq\
            KB/BArFBEAGACBZBKCCGVBCFCAKC4zBAeAhEAHHBB6KDCCEBBFgHB6BABAJABBIFxEAwBAFABEBB9BAeAEBCA8BACCBADBwBHIBrFAVA25EBz/\
            dBCA4CByBPuEBvBAwBBEBCCuDBCBYAtBABAtDACBFAtHBBBBBBAzgZABA/DAtBCEBzDAYB7BAwBCJBNA9CCDBBAqFCfB6BBBDCBCCJAKBxGCIB\
            DAqDCGABDCAtHCGDCAxDCIBBAtDABBGApDBEAlICJA3HFBBEACABAuECIDEA0CAdB+BA3MAOAqDAHACA1GEEBBA+KBMAwBBIBBAvgU2BoDBzrY\
            BGF
            """,
        "Me": """
            okBB0xFA+wBDBCrshBC
            """,
        "Mn": """
            gYvDzIEpIsBBABBBBBAoCKwBUQAlDGCFCBBDjBAea7CK6BIJAYDBIBCBErBC8BHqBXBf3BABAEHEADGKBdA6BAEDIAUBaACB5BAEBEBCCDAeBD\
            ALB5BAEEBBEAUBWFBA6BACABDIAHBLBeA9BAMAyBADA3BABCFCBDHBLBdA6BACAGAFBUBcB5BBEDIAUBdAoCAHCBA6CACGMHiDACILGpCBbABA\
            BA3BNBEBBFKBjBJAmDDBFBBCBZBECQDNACBGAPA/VCydCdBeBeBgCBBGIACKJAtBCBA1DBiBA2DCEBJAGC7GBCA6BABGBABACHGJCAwBNBPxBD\
            wBABEBAFAoBIMBgBDCBBC4BABBDABC6BHCB4ECBMBGEAGADBmG/BwWMEADL+/CCtEAgDfqRDrDB0udAEJgBBwCBwIADAEAZBFA3EBaRNAmBHZK\
            uBCwBACDCBnBAjCFCBCBMAIAvBAzBABCCBFBBAqBBIAuHACAEAw5TAhXPQPteAiHA1EEm0BCBBFDoBCEAlFB9RDjMBwCCmCKxBD7DA2BOpBACB\
            KCxBDCBHA9BCkBEBH+BAMB0BIKDCA/CCCABBGACA9EADHVB5BBDAlBGDEjGHCCBAXA0CFBAEBBBuHDGBBBbB1CHCABBqDABACFBAlDCCDBEjII\
            BBgIBBAEAwEDCBEAgBJoBFCDIAJFCCuBMBB2MGBFBAyCVCGBBBB6DFDABBBGBAoCBDABA7KBLB0BEFABA9nFAGO60NE7BG4gBA/BDxCA4lTBhz\
            EtBCWgRCRHCGeD0EC79B2BExBIAOAWEBOwqBGBQCGBBBEkDAgFG3LA9BD8PDgfGtDG19lYvH
            """,
        "Nd": """
            wBJmxBJmEJmGJ8MJ2DJ2DJ2DJ2DJ2DJ2DJ2DJ2DJ2DJgDJ2DJmCJ2IJmCJm6BJmBJsJJgEJmFJGJ2FJ2CJmEJGJmuiBJmVJmBJmGJWJ2CJ2MJ2\
            4UJmsBJmkCJsZJgEJ8BJwEJ2IJ2KJ2DJ2LJmDJmDJmNJmDJ2XJ2HJmCJmNJm4SJ2CJmEJ0jbxBgqCJmNJ2PJ2iBJ20EJ
            """,
        "Nl": """
            u3FCvzCiBCD+zDAZIOCr1dJwyW0BsOAIAmEEqhIuD
            """,
        "No": """
            yFBFACC1pCF4LF4DClEG5GGRIxNJ1hBTzjBJgPA10BADFGJmGPpBA2W7BuCV2TdprBA0kBDqEJeHBOgBJnBOwrdFxmWsBhCDRB1KakBD0pBHZG\
            nBIrCEWFgFBCPCtBgCI0BBeCrCEoDHYHpBGqKFgLe+EJqBDwDGmET7LTlqBBuNInbSzaUm8SG+YWphZTMTsDYuqFIhd6BBCBDsCsBBOieM
            """,
        "Pc": """
            /CA/+HBTA+u3BBYCvHA
            """,
        "Pd": """
            tBA8qBAzBAhyDAlgBApgCFhwDACAfBEAcA+NATAvDAwszBBlBAKApFA/8DA
            """,
        "Pe": """
            pBAzBAfA91DABA+6BAptCA3BAPA6TABAeA+hBABABABABABABAwCAgBABABABABA0MABABABABABABABABABABAgCABAhBAlhBABABABAsBABA\
            BABAsNABABABABADABABABACB+ozBA5GAdABABABABABABABADARABABAqFAzBAfACACA
            """,
        "Pf": """
            7FA96HADAcAouDABAEACAPADA
            """,
        "Pi": """
            rFAs7HACBCAZAouDABAEACAPADA
            """,
        "Po": """
            hBCBCCABABBKBDBbAkCAFAOBHA+VAIAyOFpBA2BACACAsBBUBBBNABCqCDmDArBNpHC2BOfAlIBKAsEA4DA5DAmMAMAvLA6CAKBoFOBAwDAqCE\
            EBvDFrFAkTIlYA8DCnCB9ECBClBFBD5JB4GBgEGBFsFGcB9DD7BE+BBgCHLAiaBIHIICDCCDKBABJ6kDDBBwDAvEBECCACIBBBACBKEBJCDBAB\
            MCCsNC5BA9FAigdBtICjDAKAzDF8LD2CBoBCBAxBBvBAhDMQB8DD+DBQB5HAkxUGCAWAUBCDDCBDHCGABB1ECBCCABABBKBDBbAkBACB6MC8UA\
            wBA+MAnXAnGAfAwIImBAwDGiCG5CD4dEsBD9FGtDBBD+DDwBBvCDEANABC4CFrDAhNEKBBAoDA6HWpDCcMsCAiEC8HAoIC7EA8CHzCCBE9CJ3J\
            EqBBlUBqCMvFAwjBE87CB7zOBlEAhCEIAyaDnKA8lTAnvHEy2DB
            """,
        "Ps": """
            oBAyBAfA+1DABA+6BA+rCADAmBA3BAPA6TABAeA+hBABABABABABABAwCAgBABABABABA0MABABABABABABABABABABAgCABAhBAlhBABABABA\
            ZASABABABAsNABABABABADABABABACAhpzBA3GAdABABABABABABABADARABABAqFAyBAfADACA
            """,
        "Sc": """
            kBA9DDpnBA7DAyPByPBHA1HAnIAlSA7sCAkmCgB37hBAjuVAsDA6EA7GBDB2/HD+4wBAwtCA
            """,
        "Sk": """
            +CABAnCAGAEADApQDMNFGBABQ1DAOBioBA05FABCLCNCNCNB8kEBjzdWJBnDBweAOBmiUQ7bABAiFA3g9BE
            """,
        "Sm": """
            rBAQC9BABAtBAEAlBAfA+XAvQC7xGANAnBCNCrEAnBEGAkCEFBEACACAHAfBCABAfrIgBB6CAeYoBF1OAJA2BHvDAwKECeKPgIiEW+BEfChIwB\
            UCF8+zBA4ZABCkFAQC9BABAjEAGD021BAZAfAZAfAZAfAZAfAZAs5FB
            """,
        "So": """
            mFACAEABAxeAqIB/DBuGAKATB3HAjQA1LAiEFBAkEAvGApBAnMCPABCCFUABABAlEHBFBBFDlGBwXJzWAyWA9EhBhLJJIjsBBBDBBKABBGFBAB\
            ABAEALBOABBBA6BBJECDBBBBBGBeCBBABesIHETCGCwCBdZnBGkCZKxCtCW2FBIB1BIuDB3HsBrBgC/HgQvBVBGmBCfBoDlHFlLBuBZB4CM1Ga\
            PEANBMAVBGBwKBEJgBjBLAQeLdIAPfKmBP/JguG/Bw0V2BhbDKBBA9RCm2UP/DAtBCkPADAEBNB5JI5BQCCBMDAvBsB6zBBvSA2jDA1kCHEQq6\
            SDFA2qUAz1EzD8B1HKmBC7BFCWBHdE8BVhCDA6F2CplB/P3BDyBHBNBBo2BA86CAhEAxWrBEjDMOCOBOBkBXgF4BcNrBEIHBOF6E6HF3WEQDMD\
            2DE+CGLEAPLE3BIJGnBIdCBuCzKMNCMDIHtBBGINEIHIHyEB2B
            """,
        "Zl": """
            ohIA
            """,
        "Zp": """
            phIA
            """,
        "Zs": """
            gBA/DA/uFA/rCKkBAvBAg9DA
            """,
        "Adlam": """
            go6DrCEJEB
            """,
        "Ahom": """
            g4lCaCOEW
            """,
        "Anatolian_Hieroglyphs": """
            ggxCmS
            """,
        "Arabic": """
            gwBEBFBNBCBfBJLZBrDBhBwCvBwHeBBGpCBcwy8ByDQqLCvCC1BHAgBPwDEBmEj7De+DCg43BDBaBBBACABJBDBABAGAEABABABCBBBACABABA\
            BABABBBACDBGBDBDBABJBQFCBEBQ0BB
            """,
        "Armenian": """
            xpBlBCxBCCjs9BE
            """,
        "Avestan": """
            g4iC1BDG
            """,
        "Balinese": """
            g4GsCDuB
            """,
        "Bamum": """
            g1pB3CoowB4R
            """,
        "Bassa_Vah": """
            w26CdCF
            """,
        "Batak": """
            g+GzBID
            """,
        "Bengali": """
            gsCDBHCBCVBGBADDCICBCDIAEBBECY
            """,
        "Bhaiksuki": """
            ggnCIBsBBNKc
            """,
        "Bopomofo": """
            qXB5wLqBwDf
            """,
        "Brahmi": """
            ggkCtCEjBJA
            """,
        "Braille": """
            ggK/H
            """,
        "Buginese": """
            gwGbCB
            """,
        "Buhid": """
            g6FT
            """,
        "Canadian_Aboriginal": """
            ggF/TwRlC6tgCP
            """,
        "Carian": """
            g1gCwB
            """,
        "Caucasian_Albanian": """
            wphCzBLA
            """,
        "Chakma": """
            gokC0BBR
            """,
        "Cham": """
            gwqB2BJNCJCD
            """,
        "Cherokee": """
            g9E1CCFy7lBvC
            """,
        "Chorasmian": """
            w9jCb
            """,
        "Common": """
            AgCaFauBBOBEXAfAhOmBFECT0DAJAGABA9TAGAOADAgBA8EAkQAhEB5mBA1MDiJAvvBCnCBrGBBAtmBANAHDBFBCCAlYLC2CBKDKBORgB/BlBB\
            CCFBaBQpBCE2UZKV/cgIzTCfBoDgQ9CyMUBABYPHED7CBDA6CBzEPgBjBLAwB/BfwCvBA4CnFguG/BgoWhBmDClFJ0HAgFArMAOByuUBwGJWiB\
            BSBDzEABfaFaKKAtBBgCGBGKEiICEsBDIwCMzBsBkHaktuBDs1EzD8B1HKmBC9BDQIBHdE8B1GTMTM2CJYnE0CBmCBBCACBCDBLBABGBgCBDCH\
            BGBbBDBEBADGBzKCjJCxBxjFjCsC8BiWrBEjDMOCOBOBkBKtF4BZBBNrBEIHBOF6E3eEQDMD2DE+CGLEAPLE3BIJGnBIdCBuCzKMNCMDIHtBBG\
            INEIHIHyEB2BlBJnghYAe/C
            """,
        "Coptic": """
            ifNwkKzDFG
            """,
        "Cuneiform": """
            ggoC5cmDuDBELjG
            """,
        "Cypriot": """
            ggiCFCABrBBBDACA
            """,
        "Cypro_Minoan": """
            w8rCiD
            """,
        "Cyrillic": """
            ggBkECoFw6FIiFAsCAnjEfgie/Cu8VBgw4B9BhBA
            """,
        "Deseret": """
            gghCvC
            """,
        "Devanagari": """
            goCwCEOCZg7nBfgwcJ
            """,
        "Dives_Akuru": """
            gomCGCACHBBBdBBCLJJ
            """,
        "Dogra": """
            ggmC7B
            """,
        "Duployan": """
            ggvDqDFMDIHJCD
            """,
        "Egyptian_Hieroglyphs": """
            ggsC1iB
            """,
        "Elbasan": """
            gohCnB
            """,
        "Elymaic": """
            g/jCW
            """,
        "Ethiopic": """
            gwEoCBDCGBABDCoBBDCgBBDCGBABDCOB4BBDCiCCfDZmvGWJGBGBGBGBGBGBGBGipfFCFCFJGBGxlvCGBDBBBO
            """,
        "Georgian": """
            glElBBAFACqBBDw8CqBCCgiElBBAFA
            """,
        "Glagolitic": """
            ggL/Cg9sDGBQCGBBBE
            """,
        "Gothic": """
            w5gCa
            """,
        "Grantha": """
            g4kCDBHCBCVBGBBBECICBCCCAGAFGCGDE
            """,
        "Greek": """
            wbDBCCDBAEABABCBABTB+BOPmpGEyBEEE0CAgKVCFClBCFCHBABABABeC0BBOBNCFBSCCBInJA+xiBA6uVuCRA/i0BlC
            """,
        "Gujarati": """
            h0CCBIBCBVBGBBBECJBCBCCAPDCLHG
            """,
        "Gunjala_Gondi": """
            grnCFBBBkBBBBFHJ
            """,
        "Gurmukhi": """
            hwCCBFEBCVBGBBBBBBCABEEBCCDAHDBAHQ
            """,
        "Han": """
            g0LZB4CM1GvBABAZIODke/tGgC/vUgoWtLCpDoodBMBugkB/2pBgB5hEG9GCh0FOwpHPtTitC9QivBq6EF/iE
            """,
        "Hangul": """
            goE/HuxHBhI9CxDehCeh3dcjUj9KMWEwBk9JeDFCFCFCC
            """,
        "Hanifi_Rohingya": """
            gojCnBIJ
            """,
        "Hanunoo": """
            g5FU
            """,
        "Hatran": """
            gniCSBBFE
            """,
        "Hebrew": """
            xsB2BIaEFop9BZBEBABBBBBJ
            """,
        "Hiragana": """
            hiM1CGCh7/C+ISAdCtlQA
            """,
        "Imperial_Aramaic": """
            giiCVBI
            """,
        "Inherited": """
            gYvD1IBkOKaAgXD7qEehQCBMBGEAGADBmG/BsQBiGgB55DDrDBlrzBPQNveAiHA6iEAk+uBtBCWgRCRHCGeDy6rYvH
            """,
        "Inscriptional_Pahlavi": """
            g7iCSFH
            """,
        "Inscriptional_Parthian": """
            g6iCVCH
            """,
        "Javanese": """
            gsqBtCCJEB
            """,
        "Kaithi": """
            gkkCiCKA
            """,
        "Kannada": """
            gkDMBCBWBJBECIBCBDHBGBBDCJBC
            """,
        "Katakana": """
            hlM5CCCwHPwGuBB3CugzBJBsByisBDBGBBBA/ICyBAOD
            """,
        "Kawi": """
            g4nCQBoBDb
            """,
        "Kayah_Li": """
            goqBtBBA
            """,
        "Kharoshthi": """
            gwiCDBBFHBCBcCCEJHI
            """,
        "Khitan_Small_Script": """
            k/7CA74G1O
            """,
        "Khmer": """
            g8F9CCJGJmPf
            """,
        "Khojki": """
            gwkCRBuB
            """,
        "Khudawadi": """
            w1kC6BFJ
            """,
        "Lao": """
            h0DBBABEBXBABWCEBABGBJCD
            """,
        "Latin": """
            hCZGZvBAPAFWBeBgOnBE7wGlBGwBFDFMBlChC/HxLANAQMtEBGAbARoB32Cfi1elDD/BFBBABEYNwZqBBIBD28TG6gBZGZlhCFBpBBIl61BeGF
            """,
        "Lepcha": """
            ggH3BDODC
            """,
        "Limbu": """
            goGeBLELEADL
            """,
        "Linear_A": """
            gwhC2JJVKH
            """,
        "Linear_B": """
            gggCLBZBSBBBOCNiB6D
            """,
        "Lisu": """
            wmpBvBw1eA
            """,
        "Lycian": """
            g0gCc
            """,
        "Lydian": """
            gpiCZFA
            """,
        "Mahajani": """
            wqkCmB
            """,
        "Makasar": """
            g3nCY
            """,
        "Malayalam": """
            goDMBCByBBCBFEPCZ
            """,
        "Mandaic": """
            giCbCA
            """,
        "Manichaean": """
            g2iCmBEL
            """,
        "Marchen": """
            wjnCfCVBN
            """,
        "Masaram_Gondi": """
            gonCGBBBrBDABBBIIJ
            """,
        "Medefaidrin": """
            gy7C6C
            """,
        "Meetei_Mayek": """
            g3qBWpGtBCJ
            """,
        "Mende_Kikakui": """
            gg6DkGCP
            """,
        "Meroitic_Cursive": """
            gtiCXETCtB
            """,
        "Meroitic_Hieroglyphs": """
            gsiCf
            """,
        "Miao": """
            g47CqCE4BHQ
            """,
        "Modi": """
            gwlCkCLJ
            """,
        "Mongolian": """
            ggGBCABTG4CHqB1t/BM
            """,
        "Mro": """
            gy6CeBJEB
            """,
        "Multani": """
            g0kCGBABDBOBK
            """,
        "Myanmar": """
            ggE/EgqmBehDf
            """,
        "Nabataean": """
            gkiCeII
            """,
        "Nag_Mundari": """
            wm5DpB
            """,
        "Nandinagari": """
            gtmCHCtBCK
            """,
        "New_Tai_Lue": """
            gsGrBEZGKDB
            """,
        "Newa": """
            gglC7CBE
            """,
        "Nko": """
            g+B6BCC
            """,
        "Nushu": """
            h/7CAusQrM
            """,
        "Nyiakeng_Puachue_Hmong": """
            go4DsBDNCJEB
            """,
        "Ogham": """
            g0Fc
            """,
        "Ol_Chiki": """
            wiHvB
            """,
        "Old_Hungarian": """
            gkjCyBNyBHF
            """,
        "Old_Italic": """
            g4gCjBJC
            """,
        "Old_North_Arabian": """
            g0iCf
            """,
        "Old_Permic": """
            w6gCqB
            """,
        "Old_Persian": """
            g9gCjBEN
            """,
        "Old_Sogdian": """
            g4jCnB
            """,
        "Old_South_Arabian": """
            gziCf
            """,
        "Old_Turkic": """
            ggjCoC
            """,
        "Old_Uyghur": """
            w7jCZ
            """,
        "Oriya": """
            h4CCBHCBCVBGBBBECICBCCHCEBBECR
            """,
        "Osage": """
            wlhCjBEjB
            """,
        "Osmanya": """
            gkhCdCJ
            """,
        "Pahawh_Hmong": """
            g46ClCKJBGBUFS
            """,
        "Palmyrene": """
            gjiCf
            """,
        "Pau_Cin_Hau": """
            g2mC4B
            """,
        "Phags_Pa": """
            giqB3B
            """,
        "Phoenician": """
            goiCbDA
            """,
        "Psalter_Pahlavi": """
            g8iCRHDMG
            """,
        "Rejang": """
            wpqBjBLA
            """,
        "Runic": """
            g1FqCDK
            """,
        "Samaritan": """
            ggCtBCO
            """,
        "Saurashtra": """
            gkqBlCIL
            """,
        "Sharada": """
            gskC/C
            """,
        "Shavian": """
            wihCvB
            """,
        "Siddham": """
            gslC1BClB
            """,
        "SignWriting": """
            gg2DrUPEBO
            """,
        "Sinhala": """
            hsDCBRDXBIBACGDAEFBABHGJCCs/gCT
            """,
        "Sogdian": """
            w5jCpB
            """,
        "Sora_Sompeng": """
            wmkCYHJ
            """,
        "Soyombo": """
            wymCyC
            """,
        "Sundanese": """
            g8G/BgIH
            """,
        "Syloti_Nagri": """
            ggqBsB
            """,
        "Syriac": """
            g4BNB7BCCwIK
            """,
        "Tagalog": """
            g4FVJA
            """,
        "Tagbanwa": """
            g7FMBCBB
            """,
        "Tai_Le": """
            wqGdCE
            """,
        "Tai_Tham": """
            gxG+BBcCKGJGN
            """,
        "Tai_Viet": """
            g0qBiCYE
            """,
        "Takri": """
            g0lC5BGJ
            """,
        "Tamil": """
            i8CBBFDCBDDBBABBDBDCDLEEDCBDCAGAOUl+kCxBNA
            """,
        "Tangsa": """
            wz6CuCBJ
            """,
        "Tangut": """
            g/7CAf3/FI/XgQI
            """,
        "Telugu": """
            ggDMBCBWBPCIBCBDHBBCCACDCJHI
            """,
        "Thaana": """
            g8BxB
            """,
        "Thai": """
            hwD5BFb
            """,
        "Tibetan": """
            g4DnCBjBEmBBjBBOBGEB
            """,
        "Tifinagh": """
            wpL3BHBOA
            """,
        "Tirhuta": """
            gklCnCIJ
            """,
        "Toto": """
            w04De
            """,
        "Ugaritic": """
            g8gCdBA
            """,
        "Vai": """
            gopBrJ
            """,
        "Vithkuqi": """
            wrhCKBOBGBBBKBOBGBB
            """,
        "Wancho": """
            g24D5BFA
            """,
        "Warang_Citi": """
            glmCyCMA
            """,
        "Yezidi": """
            g0jCpBBCCB
            """,
        "Yi": """
            ggoBskBD2B
            """,
        "Zanabazar_Square": """
            gwmCnC
            """,
    ]

    /// Scalars with another case: the gap from the last run's first scalar, length and step of the run, the distance to the next
    /// scalar of the orbit.
    static let orbits = """
        hC0BgCgBUhCKC+rQBOhCHC4QBOhChCCuuBLuBgCYOgCHC+7OBKhCFCskQBiBhCSOhCHCyHBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCB\
        CDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDDCCBCD\
        BCCBCDBCCBCDCCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDCCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC\
        CBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCzHBCCBCDBCCBCDBCCBCD\
        BC5SBCmMBCkNBCCBCDBCCBCDBC8MBCCBCDBE6MCCCBCDCC+EBC0MBC2MBCCBCDBC6MBC+MBCiGBCmNBCiNBCCBCDBCmKCCmNBCqNBCkIBCsNBC\
        CBCDBCCBCDBCCBCDBC0NBCCBCDBC0NDCCBCDBC0NBCCBCDBEyNCCCBCDBCCBCDBC2NBCCBCDDCCBCDCCwDFECCCFBECCCFBECCCFBCCBCDBCCB\
        CDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC/EBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDCECCCFBCCBCDBC\
        jGBCxDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC\
        CBCDBCCBCDBCCBCDBClICCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDHC2iVBCCBCDBCnKBCwiVBE+jVCCCBCDBCnMB\
        CqEBCuEBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC+hVBC4hVBC8hVBClNBC9MCE7MDC1MCC3MBC+0yCEC7MBC20yCCC/MCCwyyCBCo0yCCCjNBC\
        nNBCo0yCBCu/UBCi0yCDCnNCC6/UBCrNDCtNICu+UDC1NCCm0yCBC1NEC0yyCBC1NBCrEBEzNCCvEGC3NLCqxyCBCkxyCnFCoFrBCCBCDBCCBC\
        DDCCBCDEGkIECoHHCsCCGqCECgECE+DCCmkOBiBgCSC+BBQgCICtCBGrCDCmjOBChCBC8BBEhCCCgEBEhCCCyBBCqgOBCsDBChCBCvwBBGhCDC\
        sBBCgDBCCBGhCDCeBEhCCC61OBEhCCChEBE/DCCQBC9DBCmCEC/CBCtDBCRBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCC\
        BCDBCCBCDBCCBCDBCCBCDBCtFBChFBCOBCpHBC5FBChGCCCBCDBCPBCCBCDCGlIDgBgFQgCgCgBEhCCC8kMBChCBC6kMBShCJCokMBEhCCEkkM\
        COhCHC4jMBKhCFgBhFQCCBCDBCCBCoiMBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCD\
        BCCBCDBCCBCDJCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC\
        CBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCeBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDB\
        CfBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCD\
        BCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC\
        CBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDCsCgDwBsChD/5CsCgmOnBCgmOGCgmOD2Cg8FtBGg\
        8FjVgFg9rCwCMQIMRokCC9mMBC7mMBCpmMBClmMBCCBCnmMBC5lMBCriMBCk8kCI2Ch8FtBGh8F8FCoglCECsuHRCwjlCyDCCBCDBCCBCDBCCB\
        CDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCD\
        BCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC\
        CBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBC0DBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCC\
        BCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDGC3DD\
        C/7OCCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCB\
        CDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCD\
        BCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBQQIQRIMQIMRIQQIQRIQQIQRIMQIMRJJQIJRHQ\
        QIQRIE0ECIsFEEoGCEgICEgHCE8HEQQIQRIQQIQRIQQIQRIEQDCSFERCE1ECCTCCznOFCSFItFECTEEQDCnkOFERCEpGGEQDCnjOCCODERCEhH\
        CCPHCSFEhICE9HCCTqJC73OEC/tQBCtmQHC4BcC5BSgBgBQgBhBTCCBCDyZ0B0Ba0B1Bw5BgDgDwBgDhDwBCCBCDBCv/UBCtuHBCv+UBC3iVBC\
        xiVBCCBCDBCCBCDBCCBCDBC5hVBC7/UBC/hVBC9hVCCCBCDCCCBCDIE/jVCCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCB\
        CDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCD\
        BCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBC\
        CBCDBCCBCDBCCBCDBCCBCDBCCBCDICCBCDBCCBCDECCBCDNsChmOnBChmOGChmOzoeCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCn8kCBCCBCD\
        BCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDTCCBCDBCCBCDBC\
        CBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDnECCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCC\
        BCDDCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBC\
        DBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDKCCBCDBCCBCDBCpglCBCCBCDBCCBCDB\
        CCBCDBCCBCDBCCBCDECCBCDBCxyyCDCCBCDBCCBCDBCgDCCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCp0y\
        CBC/0yCBC30yCBCj0yCBCp0yCCClxyCBC1yyCBCrxyCBCg6BBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBCCBCDBChDBCn0yCBCxj\
        lCBCCBCDBCCBCDGCCBCDFCCBCDBCCBCDcCCBCD9aCh6BdgFh9rC18TCCBCD7gB0BgCgB0BhC/lBwCwCoBwCxCoEoCwCoBoCxC4EWuCMeuCQOuC\
        IEuCDWvCMevCQOvCIEvCl2BmDgEgCmDhEg/CgCgCgBgChCgsVgCgCgBgChCg1ekCkCiBkClC
        """
}
