"""Fills a running official emulator with what the fixtures hold: documents.py PORT. See README.md."""
import os, sys, datetime
port=sys.argv[1]
os.environ["FIRESTORE_EMULATOR_HOST"]="127.0.0.1:"+port
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector
db=firestore.Client(project="demo-export")
U=datetime.timezone.utc
from google.cloud.firestore_v1._helpers import GeoPoint
docs={
 "types/null":{"v":None},
 "types/bool":{"t":True,"f":False},
 "types/int":{"zero":0,"one":1,"neg":-1,"max":2**63-1,"min":-2**63},
 "types/double":{"zero":0.0,"nzero":-0.0,"nan":float("nan"),"inf":float("inf"),"ninf":float("-inf"),"third":1/3,"one":1.0},
 "types/time":{"epoch":datetime.datetime(1970,1,1,tzinfo=U),"micro":datetime.datetime(2026,11,21,9,30,0,123456,tzinfo=U),"before":datetime.datetime(1969,12,31,23,59,59,999999,tzinfo=U),"first":datetime.datetime(1,1,1,tzinfo=U),"last":datetime.datetime(9999,12,31,23,59,59,999999,tzinfo=U)},
 "types/string":{"empty":"","short":"plain","uni":"Zürich 😀 e\u0301","long":"x"*1501,"limit":"y"*1500,"nul":"a\0b"},
 "types/bytes":{"empty":b"","short":b"\0\1\xff","long":bytes(range(256))*6,"limit":b"z"*1500},
 "types/ref":{"here":db.document("types/null"),"deep":db.document("a/b/c/d"),"num":db.document("types/__id7__")},
 "types/geo":{"zero":GeoPoint(0,0),"sf":GeoPoint(37.7749,-122.4194),"nz":GeoPoint(-0.0,-0.0)},
 "types/array":{"empty":[],"one":[1],"mixed":[None,True,1,1.5,"s",b"b",GeoPoint(1,2),datetime.datetime(2026,1,1,tzinfo=U),db.document("types/null"),{"m":1},{},"x"*1501]},
 "types/map":{"empty":{},"nested":{"a":{"b":{"c":[1,{"d":[]},{"e":{}}]}},"s":"x"*1501},"keys":{"a.b":1,"with space":2,"`":3,"é":4,"$x":5}},
 "types/vector":{"v":Vector([1.0,-2.5,0.0]),"m":{"v":Vector([0.5])}},
 "types/empty":{},
 "types/__id7__":{"n":7},
 "types/__id-12__":{"n":-12},
 "types/null/sub/doc":{"below":True},
 "missing/parent/sub/doc":{"below":"missing"},
 "types/Zürich 😀":{"id":"unicode"},
 "types/big":{"text":"é"*20000},
 "types/names":{"with.dot":1,"a b":2,"`":3,"😀":4,"_x":5},
 "c"*1500+"/"+"d"*1500:{"long":"names"},
}
for p,d in docs.items():
    db.document(p).set(d)
other=firestore.Client(project="demo-export",database="second")
other.document("cities/SF").set({"name":"San Francisco","here":other.document("cities/LA")})
db.document("refs/other").set({"p":firestore.Client(project="other").document("a/b")})
db.document("refs/second").set({"p":other.document("a/b")})
