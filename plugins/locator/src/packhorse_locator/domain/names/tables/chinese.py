"""Chinese, Korean and Vietnamese family names: Pinyin, Wade-Giles, Cantonese, Hokkien and Teochew spellings."""

FAMILY_NAMES = """
zhang:chang cheung cheong teo tio|chen:chan tan chin chern|wang:wong ong vong heng|li:lee lei lie ly
huang:wong hwang ng ooi wee oey|lin:lam lim ling lum|wu:ng woo go goh wou oh|zheng:cheng chang tay teh tee chiang
xu:hsu tsui chui co shu chee hui hsui|zhou:chow chou chew chiu jew joe|liu:lau liew lew low lao liou
zhao:chao chiu chew jiu teo
xie:hsieh tse cheah chia sheh tze|yang:yeung yong yeo ieong young|he:ho hor haw ha
guo:kuo kwok kok quek koay gok kwock|liang:leung neo leong nio leang|luo:lo law loh lor low
cai:tsai choi chua choy chai toy|zeng:tseng tsang chan chang tzeng|xu2:hui|deng:teng tang tng|feng:fung fong hong
zhu:chu choo chee gee tju|ye:yeh yip yap ip yapp|su:so soo sou|hu:wu woo hoo foo ho|sun:suen soon sng
ma:mah beh mar|gao:kao ko go gow|tang:tong t'ng thong teng|yu:yee yue yui ee er
jiang:chiang kong keung jeung gang keong|lu:lo loo lou luk loke loh|zhong:chung chong choong tjong
fang:fong pang hong|pan:poon phua pun|dong:tung tang toong|tian:tien tin chan|shi:shih shek sek sze see
jia:chia ka gar kah|qiu:chiu yau khoo hew yao|hou:hau how|qin:chin chun ching chern|he2:hor
cao:tsao cho chao tso|peng:pang phang pung|zeng2:tzeng|xiao:hsiao siu siew seow shaw|cheng:ching chen
yuan:yuen un wan|yuan2:yuen|fu:foo poh fuh|shen:shum sim sum|song:sung soong|han:hon|hong:hung ang|ding:ting teng
wei:ngai gui wai|du:to tu toh|dai:tai tay|jin:chin kam gim kim|tan:tam tham|zou:chau tsou|xiong:hsiung hung
meng:mang|qian:chien chin|jiang2:jeung|kong:hung|bai:pai pak pek|cui:tsui chui choi|kang:hong khang|mao:mo|hao:kok
shao:siu shiu|wan:man ban|lei:lui looi|wen:wan man boon|zhan:chim chiam|yan:yim ngan giam|ruan:yuen nguyen
niu:ngau|ou:au ow|ouyang:auyeung owyang|situ:szeto seeto
"""
KOREAN = """
kim gim|lee yi rhee ri|park pak bak|choi choe|jung jeong chung cheong|kang gang|cho jo|yoon yun|jang chang
lim im rim|han hahn|oh o|seo suh|shin sin|kwon gwon|hwang whang|ahn an|song|yoo yu ryu|hong|moon mun|ko go koh
bae pae|baek paik|nam|noh no roh|woo wu u
"""
VIETNAMESE = """
nguyen nguyn ngyen nguyan|tran trang|pham fam|hoang huynh hwang|vu vo|phan fan|dang dan|bui buy|ly li|duong zuong
"""
