"""Arabic, Turkish, Persian and South Asian forms of one name that keys do not bring together."""

COGNATES = """
mohammed muhammad mohamed mohammad mohamad mahomed mehmet muhammed muhammet mamadou md mohd mohamud mhd
ahmed ahmad ahmet ahmadou|ali aly alee|hussein hussain husain hossein husayn huseyin hocine hossain
hassan hasan hassen hacen|osman othman uthman usman ousmane|omar umar omer oumar ömer umer
abubakar abubakr aboubacar boubacar|yusuf youssef yousef yousif yusif yousuf joseph
ibrahim ebrahim brahim ibrahima abraham
mustafa mostafa moustapha mustapha|mahmoud mahmud mehmood mahmood|ismail ismael esmail ismaila smail
suleiman sulaiman soliman suleyman solomon souleymane sulayman|khaled khalid halid|jamal gamal djamal cemal jamaal
jafar jaafar gaafar cafer djafar|rashid rachid rasheed reshid|said saeed sayed saied sayeed saïd
faisal faysal feisal faysel|tariq tarek tareq tarik|yahya yehia yahia yahye|zakaria zakariya zakariyya zekeriya
dawood daoud dawud daud davut david|musa moussa mousa moses|issa isa eissa aissa|younes yunus younis yunis
fatima fatma fatimah fatema fatou fadma|aisha ayesha aicha aysha ayse aishat
khadija khadijah hatice khadeeja kadija|maryam mariam meryem miriam mariama|zainab zeinab zaynab zeynep zineb
layla leila laila leyla|amina aminah ameena aminata|nour noor nur|sara sarah|heba hiba|karim kareem kerim
walid waleed velid oualid|hisham hesham hicham|ayman aiman aymen|osama usama oussama|yasser yasir yaser
riyad riad riyadh riaz|bilal belal|samir sameer|nabil nabeel|abdullah abdallah abdulla abdoulaye abdalla
abdulrahman abdurrahman abdelrahman abderrahmane abdirahman|abdulaziz abdelaziz abdoulaziz
abdelkader abdulqadir abdulkadir|abdi abdul abdel
qasim kassem qassem kasim kacem|saleh salih salah saleem|mansour mansoor mansur|sharif cherif shareef sherif serif
farouk faruq farooq|aziz azeez|darwish darwich darweesh dervis|masri masry elmasri|najjar naggar
khoury khouri houry|khatib khateeb hatib|jaber jabir gaber djaber|haddad hadad|obaidi ubaidi
jubouri jabouri juburi jibouri|qahtani kahtani|nasser nasir naser nacer|sultan soltan|hamza hamzah hamzeh
syed sayyid sayed said|sheikh shaikh cheikh|chaudhry chowdhury choudhury chaudhary chaudhari|begum begam|bibi bebe
iqbal eqbal|siddiqui siddiqi siddique|qureshi koreshi quraishi|akhtar akther|rehman rahman rahmani
"""

NICKNAMES = """
mohammed:hamada mo hamoudi moe|ahmed:hamada ahmo|abdullah:abdo aboudi|abdulrahman:abdo aboud|ibrahim:bobo ibro
mustafa:tafa darsh|mahmoud:hamouda|hussein:hosa|fatima:fatou fati tima fatoum|khadija:khadouj dija
zainab:zuzu zaza|youssef:joe jojo|ismail:somaa|khaled:lodi|samir:sam|suleiman:solo
"""
