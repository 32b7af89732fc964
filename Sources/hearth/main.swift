await Hearth.execute()
