"""Indic names: short forms, and spellings that keys do not bring together."""

COGNATES = """
singh sing sinh|kaur kour cour|sandhu sindhu|dhillon dhaliwal|sharma sarma|gupta gupte|patel patil
chatterjee chattopadhyay|banerjee bandyopadhyay|mukherjee mukhopadhyay|ganguly gangopadhyay|lakshmi laxmi lakhsmi
krishna kishan krishnan kishen|vishnu bishnu|jaswinder jasvinder|gurpreet gurprit|harpreet harprit
manpreet manprit|rajinder rajendra rajender|surinder surendra surender|narinder narendra narender
mohinder mahendra mohender|jitendra jatinder jitender|virendra virender birendra|yadav jadav yadava
agrawal agarwal aggarwal|iyer aiyar ayyar|reddy reddi|dwivedi dubey|chaturvedi chaubey|trivedi tripathi
"""

NICKNAMES = """
rajesh:raj raju|rajendra:raj raju|rajinder:raj raju|ramesh:ramu|suresh:suri|mahesh:mahi|ganesh:ganu|mukesh:mukku
sanjay:sanju|vijay:viju|ajay:aju|sunil:sunny|anil:anu|vikram:vicky|vikas:vicky|gurpreet:gopi guri preet
harpreet:happy harry preet|manpreet:mani preet|jaspreet:jassi preet|amandeep:aman deep|gurdeep:deep|kuldeep:deep
sukhwinder:sukhi sukh|balwinder:bindi|parminder:pammi|satnam:sati|jaswinder:jassi|krishna:kishu|lakshmi:laxmi
priyanka:priya|aishwarya:aish|deepika:deepa|pushpa:pushpi|abhishek:abhi|aditya:adi
"""
