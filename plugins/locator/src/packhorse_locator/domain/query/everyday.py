"""More ordinary words, folded: work, church, school, health, arrest, law, money, feelings, and common words. Own lists.

What somebody does for a living, or where they were taken, stands around a name
as often as the words of a search do.
"""

ENGLISH = """
bunch whoever whomever whichever loads ton handful couple several various supposedly apparently allegedly obviously
birthplace closest nearest entrance exit gate lobby exactly ailing pregnant elderly newborn anxious desperate
fed vendor vendors hawker kanjobal ixil quiche mam quechua
have abusive accent access accident according action active activity add adjourned advance affair affidavit affidavits
affirmative afford african agency ahead ai air airlifted alexa allergic allergies allergy amazon ambulance amount
amounts amtrak analysis ancient anemia anger angry animal ankle anniversary annual anyhow anyplace anytime apostille
appointments approach approached approximately appt argue arm arraignment art arthritis article asian aside asleep
aspect assembly assistant attack attempt attention audience author authority authorization autism autistic average
aware awesome babysitter backyard bakery bald ball band baptism bar barber barbershop barista barn barracks bartender
baseball basement basic basis basketball bath battery beach bear beat beautiful bedroom behavior benefit bible bike
biker biometrics bird bishop bite bitter blame blanket blankets bleeding blessings blind blow boat body bondsman
bondsmen bone bono boot bot bottle bottom bowl box bra bracelet brain branch brave bread breastfeeding breath brick
bricks bridge brief briefs bright broad bruises brush bucks buddies budget buffet bunk burn busboy bused busy butcher
butter button bypass cab cake calendar camera campaign campus candidate candle canyon cap capital captain career
careful carefully caregiver carpentry carpet cartel carwash cash cashapp cashier cast category caucasian cbpone
ceiling cellmate cellmates cement central century certified chain chained chair challenge channel chapel chapter
character charity chatbot chatgpt cheap checkins cheese chef chemo chemotherapy chest chicken chief choice choir
cholesterol circle citation civil class classes clerk clerks climb clock closest cloth cloud club coach coast coat
code coffee cold college color comb combine command comment commissary common communicate compare compete complex
concept concert concrete condo conference confidence conflict congregation congress congressman congresswoman consist
constant consulate consumer content contest context continuance contract contractor contractors contrast contribute
control convention conviction convince cool core corn corner corp corpus costco couch cough counsel counselor counsels
counter couple courage courier course courthouse covid coyote coyotes crap crash crazy cream credible creek crime
criminal crisis critical crosswalk crowd cruel crutches csv culture cup cure curious curly curtain cycle daily dairy
damage damn dance dark darn dawn daycare daytime deacon deaf decade decision declaration deep deets defense defensive
degree delete deli delivery demand democracy demolition dentist deodorant depot depressed depression dept desert desk
despite destroy devastated develop device dial dialysis differ dig diner dirt dirty dish dismiss display dispute
distance divide divorce docket docs dogs dollar dollars domestic donate donation donations doordash dorm dormitory
double doubt download downstairs dozen dragged draw dream dress drink driveway drones dry dude due dui dumb dump
dumpster duplex dusk dust duty dwi ead ear earn earth ease east edge education effect effective effort egg electric
electricity elementary elevator embassy emotion employment enable encounter encourage enemy energy engage engine enjoy
enough ensure entrance entry envelope epilepsy equal equipment erase error escorted especially essay establish
estimate eta event eventually everyday evidence exam example excellent except exchange excited exciting exercise
exhausted exhibit exhibits exhusband exist exit expand expelled expense expensive experience expert exploit export
express extend extra extreme exwife eye fabric facebook fact factor failure fair faith famous fan faq farmer fashion
fat fault favorite fear feature feed fella fellow felonies felony fence fever filings film final finger fingerprint
fingerprinted fingerprints fire firm firms fish fit flag flat floor flooring flow flower flown fluent focus foot
football forecast foreign foreman forest forever forgive forklift formal forth fortnight fortune forward frame framer
framing frantic freaking freedom fresh fri front fruit fuel fun function fundraiser funeral funerals funny furniture
further future gain gang gangs gap garbage garden gas general generation gent gentle gentlemen gift glad glass glasses
global goal gofundme gold google gov government governor govt gpt grade graduation grand grandchildren grandkids grass
grateful greyhound groceries grocery ground grow growth gtl guarantee guard guardian guards guest guilty gun guns
gutter gutters gym habeas habit hack hacked hacking haha hahaha hairdresser hallway hand handcuffed handcuffs hang
hardworking harvest hate head heartbroken heat heavy height helicopter helpless helpline hero hire hispanic hiv hole
homeless homework honest hoodie hopeless horse host hot hotline housekeeping humble hunger hungry hurry hypertension
ideal identity idiot idiots ids ignore illegal image impact improve inc include income increase indeed independent
industry infant influence initial injure inner input insist instagram install instance institution interest intern
internal interns interrogated interstate invest involve iron island item itin jeans jeep jewelry joint journalist joy
jpay jump junkyard key kick kiddo kidney kindergarten kindness kiosk kiss knee knife knock knowledge lake landfill
landscape landscaper latina latino laundromat laundry lawn lay layover lazy leader leaf lean leather leg length lesson
lettuce level liberty library lieutenant lift limit limp lip liquid liver livestream llc loan loans lobby login lol
lonely loose loss loud lowes luck lucky lunar lungs lyft lyrics machine mad magazine magazines maintain major majority
mall manager manner map marriage marshal marshals mask masked masks mason masonry mass master material math maximum
meal measure meat meatpacking media medium memory menu mere merits messaged messenger metal method metro mile miles
military milk minimum minister mirror miscarriage misdemeanor miserable mission mix mobile mode model modern mon
moneygram monitor monitors mood moon moral mortgage mosque motion motions motor mountain mountains mouth mower murder
muscle museum mustache mute mystery nail nails naked narrow nation natural nature nearest neat neck negative nerve net
netflix network newborn newspaper nightclub nighttime noise normal north nose notarized notary note notebook notes nun
nursery nursing object observe obvious occasion occur ocean odd offense oil opinion opportunity opposite option
orchard ordinary org original originals orphan orphans outcome outcomes overtime owner pacemaker paint pair panel
panicked panicking pants parishioner parkinglot parolee particular party password passwords path patience pattern
pause payable paycheck payment paystub peace pen pencil perfect perform period pharmacist pharmacy phase phoneline
photo photos physical piano pic picker pickers pics picture pictures pillow pillows pin pink pipe pizzeria plain plant
plaster plastic plate platform playground plea pleasant pleasure plenty plumber plumbing plus pocket pod podcast poem
poison pole polite political poor popular porch pork port position positive possess postcard postcards pot potential
poultry pound power practical prepaid preschool prescription press pretend prevent pride prime principal principle
print printed printout prior prize pro probation procedure proceed produce product professor profit progress project
proof proper property propose protest protests proud prove psychiatrist psychologist ptsd pump punish punishment pure
purpose purse python qualify quality quarter quiet quinceanera quit rabbi race radio rail rain raise rallies rally
ramadan ramp ranch random range rare rates raw react ready reality reasonable recall recipe recipes recommend recover
recycling reduce refer referral referrals reflect reform refundable registration regret regular reject relate relation
relax relevant relief religion remark remind remote repair repairs repatriated replace reporter reserve resist
resource respect response responsible retainer reveal reverend reward rich rid riddle rifle rise risk river robot rock
role roll roof roofer roofs room root rope rosary rough roughly round row royal rub rude ruin rumor rumors sail salon
salons salt sand sandals satisfy scaffold scale scar scars scene scheme science score screen screenshot script season
seat seated secret section secure security securus seizure seizures select semester senator senators senior sensitive
sentence sentenced sergeant series sermon session set severe shackled shadow shake shame shampoo shape sharp shelf
shelter shelters shine ship shock shoot shore shoulder shout shower shuttle shy side sidewalk siding sight signal
signature silence silent silly similar single sink siri skill skin skinned skinny sky slice slide slight slip smart
smell smile smoke smooth smugglers sneakers snow soap soccer society socks soft soil soldier solid solution songs soul
sound source south spare special specific speech speed spirit split spoil sponsor sponsored sponsors sponsorship sport
spot spread spreadsheet square ssn stadium stage stair stamp stamps standard star steady step stepkids stick sticky
stock stomach stone stories storm story straight strange stranger strawberry stream strength stretch strict stroke
strong structure stupid style stylist subcontractor subject subway succeed success sudden sugar suit summary sun sunny
supermarket supervision supervisor supply surface surfer surprise surround surrounded survey survive suspect suv suvs
swat sweater sweatpants sweet swim switch swollen symbol synagogue table tablet tablets tackled tail talent target
task taste taxi tea tear technical technology telegram television temperature temple temporary tend tent tents term
terminal terrible test theme theory therapist thick thin threat threats throat thurs tie ties tight tiktok tile tiles
tinted tiny tip tired title tmr tmrw toddler toe tomato tomorow tone tongue tonite tool tooth toothbrush toothpaste
top topic torture total tough tour tow tower toy trade tradition trailer trainer training trans transgender transport
trap trash tree trick trooper troopers truckdriver trucker truckers truth tsa tube tuberculosis tues tumor tune tunnel
tutor tv tvisa twist uber ugly underwear uniform unique unit unite units university unmarked unpaid upper upstairs
urban useful usual utilities uvisa vacation vaccine vaccines valid value vans variety vast vawa vegetable venmo
version victim vid video videos view vigils vineyard violence viral vision volume volunteering vote wage wages waiter
waitress wall walmart wander war warden warm warrant warrants wash waste wave weak wealth weapon wedding weddings
weekday weekdays weigh weight welding west western wet whatsapp wheel wheelchair whisper wide wild willing wind
windows wine wing winner wipe wire wise withholding wonderful workpermit worth worthless wound wounds wrap wtf yard
yday youngster youth zelle zero zip zoom
"""

SPANISH = """
ensename ensenenme ensenarme enseneme durar dura duran duracion ando andas andamos delicado delicada grave enfermito
enfermita identificacion identificaciones entrada salida porton desesperado desesperada perdida perdido montonal monton
exactamente aproximadamente parroquia feligres feligreses quienquiera ahorititas embarazada ancianito ancianita
videollamada videollamadas vendedor vendedora ambulante
aborto abrigo absoluto acceso accidente accion aceite acerca acido acta actas actividad activo acuerdo adelante
adivinanza administracion afligida afligido africana africano ahoritita aire albergue alcaide alcohol alergia alergias
alergico almohada alrededor altura amable amablemente amamanta amamantando amarillo ambiente ambulancia ancho animo
ansiedad ansioso antiguo aparato apostilla arbol arena arma armados arte articulo artificial artritis asiatica
asiatico asiento asombro aspecto ataques atencion atenta atento atras audio audios aumento ausencia autismo autista
autoridad autoridades avance aventura ayudantia ayudita azucar azul azulejo bachillerato bajito bandera bano barato
barberia barro base basura batalla bautizo bebida bendiga bendigales beneficio biblia biles biometricos blusa bn bno
boca boda boleto bolsa bolsillo borracho bosque brazalete brazo breve brillante brincaron brinco broma bruto buey
bufete buzon caballo caballos cabello cabeza cabo caida caja cajero calcetines calidad caliente calor campana canal
cancilleria cancion canciones cantidad capaz capilla capitan capitulo cara caracter careo cargos carino carinoso carne
carniceria carpa carpas carpeta carta cartas cartera castigo catedral categoria cateo catequista catolica cedula
celoso cemento centavo cepillo cercana cercano cerdo cerdos cerebro cerquita cerrado certeza certificado chamarra
champu charla chile chiquito chocaron ciega ciego cielo ciencia cifra cine circulo clave clavo cobija cobijas cocinera
codigo codo cola colesterol comedor comentario comercio comienzo comision comite compania complejo completito
comportamiento comun comunicacion comunidad concepto concierto conclusion concreto condena condenado conducta
conductor confianza conflicto congregacion conjunto conocimiento consejera consejero consejo constancia constante
consul consulado consular consumo contenido contrario contrasena contrasenas convulsion cordialmente coro corriente
cosechando costumbre costura costurera creencia cristiana criterio cuaderno cuadra cuadro cualquier cualquiera
cuantito cuarto cuello cuerda cuerpo cuestion culpa culpable culto cultura cura curioso curso custodio custodios dano
debajo debil decada dedo defecto defensa defensor defensora delito delitos depositarle deposite deposito depositos
depresion depresivo derecha derrame derrota desarrollo desastre desgracia desodorante despacho despacio despensa
desperdicio determinado deuda deudas devuelta devuelto diacono dialisis diario diente diferencia digno diminutivo
diosito director directora disco discusion diseno disposicion distancia diverso doble dolares dominio dormitorio dpi
duda dueno duro economia efectivo efecto ejemplo ejercito eleccion elegante elimina eliminar embajada emocion empresa
empujaron encadenado encapuchado encapuchados encarecidamente encima energia enfrente enmascarados enojada enojado
enorme ensenanza entierro entrevista epilepsia epoca equipaje equipo escena esfuerzo espalda especial especie espejo
espiritu esposada esposadas esposado esposados esposaron establo estacionado estampilla estampillas estilista estilo
estomago estrecho estrella estricto estructura estupida estupido etapa evangelica evento evidencia examen excepto
exito experiencia experto explicacion expulsada expulsado extremo falso fama famoso farmacia feligres feligresa feo
fichada fichado fiebre fiel fiesta fila fin fiscal fiscalia fisico flaca flaco fonda fondo fortuna foto fotos frase
frecuencia frente fresa fresas fresco frio fruta fuego fuente fuerte fuerza funcion futbol futuro gallina gallinas
ganancia garaje gasolinera gesto giro giros gobierno golpe golpearon golpes gordito gordo gorra gota grado graduacion
graduo gran grandioso gratis gratuita gratuito grax grcs grillete grito grueso grupo grupos guapo guarderia guera
guero habilidad habitacion hackea hackear hambre helado helicoptero herramienta herramientas hielera hieleras hielo
hierro higado hilo historia hoja hombro honesto honor honrado horrible huella huellas huerfana huerfano huerto hueso
huevo humano humilde humo identidad identificacion idiota idiotas imagen impacto imploro impuesto incendio inclusive
increible indice industria ine infancia infraccion infracciones injusticia injusto inmediato instante instituto
inteligencia intencion interes interior inutil inutiles invernadero isla izquierda jabon jaja jajaja jajajaja jalaron
jaquear jardin jardines jaula jeje jesucristo jornada jugo juicio juntos justicia justo juzgado kilo kilometro
kilometros kinder labio labor labores lactante lado ladrillo ladrillos lagrima lagrimas lampara lapiz lavabo
lavacarros lavandera lavanderia leccion leche lecheria lechero lechuga lector lejano lempiras lengua lenguaje lento
libreta libro libros ligero limite limpio listo litera literatura llanta llantas llanto llave lluvia loco losa madera
maldad maldito malditos mandato manga manzana manzanas mapa maquina marcador marcapasos marcha margen martillo masa
materia matricula mayoria mecanica medida medio mellizos melon memoria mencionado mensajito mensajitos mensual mentira
menudo mesa mesera metodo miembro millas minimo ministro misa misterio mitad moda modelo moderno modulo mofle molestia
moneda montana monto morena moretones mortificada mortificado mote movimiento muchisimas muchisimo mudanza mudanzas
muebles muleta muletas muro musculo museo nacion naranja naranjas nariz naturaleza necesidad negativo negocio negro
nervios nieve nivel nomas nota notarial notario notas noticiero novedad nube nudo nulo numeroso obediente obispo
objetivo objeto obligacion obvio ocasion odio oferta oficio olor opcion oportunidad oracion oraciones orden ordena
ordenes organizacion organizaciones orgullo orgulloso origen orilla orita oscuro pabellon pacto padecimiento palabra
palo panaderia panales pantalla pantalon papelito paquetero par pared parqueadero parqueo parroquia parroquial partido
paseo pasta pastilla pastillas patio pecho pedazo peligroso peluqueria peluquero pensamiento pepino perfecto periodico
periodista periodo perrera perreras perros persiguieron pesado peso pesos pf pie piedra piel pierna pieza pintando
piscando piso pisos pistola pistolas pizcando placa placas placer planchadora plano plato plaza plazo pobre poema
polarizados pollera polleria pollero pollo polvo poquito porcion porfavorcito portador posesion posibilidad positivo
precio precios precioso premio prensa prepa preparatoria presencia presentacion prestamo primaria principio prisa
producto profundo progreso promesa pronostico propiedad propio proposito publicacion publicaron pulmones punto pura
puro quetzales quieto quietud quimioterapia quincena raiz rango raro ratito raza reaccion realidad rebelde recepcion
receta recetas recurso referencia referido reforma refugio relacion reloj remedio remesa remesas rencor renglon
repartidor repartidora reparto repatriada repatriado repente reportero reserva respecto respeto resto resumen
retornado retraso reunion revision revista revistas rico riesgo rinon rinones rio risa ritmo rodilla roja rojo
rompieron rostro ruedas ruido rumores ruta sabor salario saldo salto saludo sandia sangrando sano santisimo sargento
sastre secreto sector secuestraron secuestro secundaria sed seguridad sembrando semejante semilla sencillo sensacion
sentencia sentimiento serie sesion siglo silencio silla singular sobra sobrenombre sociedad sol soldado solucion
sombra sonido sonrisa sorda sordo sosten subito sucio sueldo suelo sueno suerte suficiente sufrimiento sujeto suma
superior surco susodicho sustancia tabla tablas talento taller tapa taqueria tarea taxista techando techero techo
tecnica temor templo temporada tenis tension teoria terreno territorio testigo testigos tierra titular titulo tobillo
tomates tono tonta tonto tope topes tortilleria tos tradicion traduccion trailero traje trampa tranquila tranquilo
transferencia transporte tristeza troca trocas tumbaron turista unidad uniforme unir universidad urgentisimo uva uvas
vacas vacuna vacunas valor valores vara variedad vaso vecindad velocidad velorio ventaja ventana verdadera verdadero
verguenza vestido viaticos victima vidrios viento vinedo virgen virgencita virtud vista volumen voluntad voluntaria
voluntario voluntarios voz xfavor yarda yardas yerba yeso zacate zapatero zapato zapatos
"""
