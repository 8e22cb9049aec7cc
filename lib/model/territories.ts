/**
 * The countries with the languages that are used in them, for the engine list. `npm run data:engines`
 * writes this file from data of Unicode CLDR (Unicode License v3).
 */

/**
 * Each line: ISO code, ISO number, name, codes of languages, codes of those that an engine with hosts by
 * country has pages in.
 */
export const territoryLines = `
AD|020|Andorra|ca es|
AE|784|United Arab Emirates|ar en|
AF|004|Afghanistan|fa ps uz tk|
AG|028|Antigua and Barbuda|en|
AI|660|Anguilla|en|
AL|008|Albania|sq|
AM|051|Armenia|hy ru|
AO|024|Angola|pt-PT|
AQ|010|Antarctica||
AR|032|Argentina|es|es
AS|016|American Samoa|sm en|
AT|040|Austria|de hr sl hu en fr|de hr sl hu en fr
AU|036|Australia|en|en
AW|533|Aruba|nl|
AX|248|Aland Islands|sv|
AZ|031|Azerbaijan|az|
BA|070|Bosnia and Herzegovina|bs hr sr en|
BB|052|Barbados|en|
BD|050|Bangladesh|bn en|
BE|056|Belgium|nl fr de en|nl fr de en
BF|854|Burkina Faso|fr|
BG|100|Bulgaria|bg en ru tr|
BH|048|Bahrain|ar|
BI|108|Burundi|rn fr en|
BJ|204|Benin|fr|
BL|652|Saint Barthelemy|fr|
BM|060|Bermuda|en|
BN|096|Brunei|ms zh-TW|
BO|068|Bolivia|es qu ay|
BQ|535|Caribbean Netherlands|nl|
BR|076|Brazil|pt-BR|pt-BR
BS|044|Bahamas|en|
BT|064|Bhutan|ne en|
BV|074|Bouvet Island|no|
BW|072|Botswana|en tn|
BY|112|Belarus|ru be|
BZ|084|Belize|en es|
CA|124|Canada|en fr|en fr
CC|166|Cocos (Keeling) Islands|en ms|
CD|180|Democratic Republic of the Congo|fr sw lua ln kg|
CF|140|Central African Republic|fr|
CG|178|Republic of the Congo|fr|
CH|756|Switzerland|de fr it rm en|de fr it en
CI|384|Cote d'Ivoire|fr|
CK|184|Cook Islands|en|
CL|152|Chile|es|es
CM|120|Cameroon|fr en|
CN|156|China|zh-CN ug mn ko|
CO|170|Colombia|es|es
CR|188|Costa Rica|es|
CU|192|Cuba|es|
CV|132|Cape Verde|pt-PT|
CW|531|Curacao|nl|
CX|162|Christmas Island|en|
CY|196|Cyprus|el tr en|
CZ|203|Czechia|cs en sk de|
DE|276|Germany|de en fr|de en fr
DJ|262|Djibouti|fr ar so|
DK|208|Denmark|da de kl en sv|da de en sv
DM|212|Dominica|en|
DO|214|Dominican Republic|es|
DZ|012|Algeria|ar fr|
EC|218|Ecuador|es qu|
EE|233|Estonia|et ru en fi|
EG|818|Egypt|ar en|
EH|732|Western Sahara|ar|
ER|232|Eritrea|en ar ti|
ES|724|Spain|es ca gl eu oc en|es en
ET|231|Ethiopia|am en om|
FI|246|Finland|fi sv en de|fi sv en de
FJ|242|Fiji|en fj hi|
FK|238|Falkland Islands|en|
FM|583|Micronesia|en|
FO|234|Faroe Islands|fo|
FR|250|France|fr en es|fr en es
GA|266|Gabon|fr|
GB|826|United Kingdom|en cy ga gd fr|en fr
GD|308|Grenada|en|
GE|268|Georgia|ka|
GF|254|French Guiana|fr|
GG|831|Guernsey|en|
GH|288|Ghana|en ak ee gaa|
GI|292|Gibraltar|en es|
GL|304|Greenland|kl da|
GM|270|Gambia|en|
GN|324|Guinea|fr ff|
GP|312|Guadeloupe|fr|
GQ|226|Equatorial Guinea|es fr pt-PT|
GR|300|Greece|el en|el en
GS|239|South Georgia and the South Sandwich Islands|en|
GT|320|Guatemala|es quc|
GU|316|Guam|en|
GW|624|Guinea-Bissau|pt-PT fr|
GY|328|Guyana|en|
HK|344|Hong Kong|zh-HK en yue|zh-HK en
HM|334|Heard Island and McDonald Islands||
HN|340|Honduras|es|
HR|191|Croatia|hr it en|
HT|332|Haiti|ht fr|
HU|348|Hungary|hu en de|
ID|360|Indonesia|id jv su|id
IE|372|Ireland|en ga fr|en fr
IL|376|Israel|he ar en ru|
IM|833|Isle of Man|en|
IN|356|India|hi en bn te mr ta ur gu kn ml or pa as mai ne kok sd sa|en
IO|086|British Indian Ocean Territory|en|
IQ|368|Iraq|ar ckb az en ku|
IR|364|Iran|fa az|
IS|352|Iceland|is|
IT|380|Italy|it fr en|it fr en
JE|832|Jersey|en|
JM|388|Jamaica|en|
JO|400|Jordan|ar en|
JP|392|Japan|ja|
KE|404|Kenya|sw en|
KG|417|Kyrgyzstan|ky ru|
KH|116|Cambodia|km|
KI|296|Kiribati|en|
KM|174|Comoros|ar fr|
KN|659|Saint Kitts and Nevis|en|
KP|408|North Korea|ko|
KR|410|South Korea|ko|
KW|414|Kuwait|ar|
KY|136|Cayman Islands|en|
KZ|398|Kazakhstan|ru kk en|
LA|418|Laos|lo|
LB|422|Lebanon|ar en fr|
LC|662|Saint Lucia|en|
LI|438|Liechtenstein|de|
LK|144|Sri Lanka|si ta en|
LR|430|Liberia|en|
LS|426|Lesotho|st en zu|
LT|440|Lithuania|lt ru en de|
LU|442|Luxembourg|fr lb de en pt-PT|
LV|428|Latvia|lv en ru|
LY|434|Libya|ar|
MA|504|Morocco|ar fr en|
MC|492|Monaco|fr|
MD|498|Moldova|ro uk|
ME|499|Montenegro|sr|
MF|663|Saint Martin|fr|
MG|450|Madagascar|mg fr en|
MH|584|Marshall Islands|en|
MK|807|North Macedonia|mk sq|
ML|466|Mali|fr bm|
MM|104|Myanmar (Burma)|my|
MN|496|Mongolia|mn|
MO|446|Macao|zh-HK pt-PT yue en|
MP|580|Northern Mariana Islands|en|
MQ|474|Martinique|fr|
MR|478|Mauritania|ar fr|
MS|500|Montserrat|en|
MT|470|Malta|mt en it fr|
MU|480|Mauritius|fr en mfe|
MV|462|Maldives|dv en|
MW|454|Malawi|en ny|
MX|484|Mexico|es en|es en
MY|458|Malaysia|ms en zh-CN|en zh-CN
MZ|508|Mozambique|pt-PT|
NA|516|Namibia|en af|
NC|540|New Caledonia|fr|
NE|562|Niger|fr ha|
NF|574|Norfolk Island|en|
NG|566|Nigeria|en yo pcm ha ig|
NI|558|Nicaragua|es|
NL|528|Netherlands|nl fy en de fr|nl en de fr
NO|578|Norway|nb nn|nb nn
NP|524|Nepal|ne mai|
NR|520|Nauru|en|
NU|570|Niue|en|
NZ|554|New Zealand|mi en|en
OM|512|Oman|ar|
PA|591|Panama|es en|
PE|604|Peru|es qu|es
PF|258|French Polynesia|fr|
PG|598|Papua New Guinea|en|
PH|608|Philippines|en fil ceb ilo es|en es
PK|586|Pakistan|ur en pa ps sd|
PL|616|Poland|pl de lt en ru|pl de lt en ru
PM|666|Saint Pierre and Miquelon|fr|
PN|612|Pitcairn Islands|en|
PR|630|Puerto Rico|es en|
PS|275|Palestinian Territories|ar|
PT|620|Portugal|pt-PT en fr es|
PW|585|Palau|en|
PY|600|Paraguay|gn es|
QA|634|Qatar|ar fa|
RE|638|Reunion|fr ta|
RO|642|Romania|ro en fr es|ro en fr es
RS|688|Serbia|sr hu ro hr sk uk sq|
RU|643|Russia|ru tt az|
RW|646|Rwanda|rw en fr|
SA|682|Saudi Arabia|ar|
SB|090|Solomon Islands|en|
SC|690|Seychelles|fr en crs|
SD|729|Sudan|ar en|
SE|752|Sweden|sv fi en|sv fi en
SG|702|Singapore|en zh-CN ms ta|en zh-CN
SH|654|Saint Helena|en|
SI|705|Slovenia|sl hr en de|
SJ|744|Svalbard and Jan Mayen|nb ru|
SK|703|Slovakia|sk cs en de hu|
SL|694|Sierra Leone|en kri|
SM|674|San Marino|it|
SN|686|Senegal|fr wo ff|
SO|706|Somalia|so ar|
SR|740|Suriname|nl|
SS|728|South Sudan|en ar|
ST|678|Sao Tome and Principe|pt-PT fr|
SV|222|El Salvador|es|
SX|534|Sint Maarten|en nl es|
SY|760|Syria|ar|
SZ|748|Eswatini|en|
TC|796|Turks and Caicos Islands|en|
TD|148|Chad|ar fr|
TF|260|French Southern Territories|fr|
TG|768|Togo|fr ee|
TH|764|Thailand|th en|th en
TJ|762|Tajikistan|tg ru|
TK|772|Tokelau|en sm|
TL|626|Timor-Leste|pt-PT|
TM|795|Turkmenistan|tk ru|
TN|788|Tunisia|ar fr|
TO|776|Tonga|to en|
TR|792|Turkiye|tr en|tr en
TT|780|Trinidad and Tobago|en|
TV|798|Tuvalu|en|
TW|158|Taiwan|zh-TW|zh-TW
TZ|834|Tanzania|sw en|
UA|804|Ukraine|uk ru|
UG|800|Uganda|sw en lg|
UM|581|United States Minor Outlying Islands|en|
US|840|United States|en es haw|en es
UY|858|Uruguay|es|
UZ|860|Uzbekistan|uz ru|
VA|336|Vatican City|it la|
VC|670|Saint Vincent and the Grenadines|en|
VE|862|Venezuela|es|es
VG|092|British Virgin Islands|en|
VI|850|United States Virgin Islands|en|
VN|704|Vietnam|vi|vi
VU|548|Vanuatu|en fr|
WF|876|Wallis and Futuna|fr|
WS|882|Samoa|sm en|
YE|887|Yemen|ar|
YT|175|Mayotte|fr|
ZA|710|South Africa|en zu xh af nso tn st ts|en
ZM|894|Zambia|en bem ny|
ZW|716|Zimbabwe|sn en|
`;

/** Each line: the code of a language, its name. */
export const languageLines = `
af|Afrikaans
ak|Akan
am|Amharic
ar|Arabic
as|Assamese
ay|Aymara
az|Azerbaijani
be|Belarusian
bem|Bemba
bg|Bulgarian
bm|Bambara
bn|Bangla
bs|Bosnian
ca|Catalan
ceb|Cebuano
ckb|Central Kurdish
crs|Seselwa Creole French
cs|Czech
cy|Welsh
da|Danish
de|German
dv|Divehi
ee|Ewe
el|Greek
en|English
es|Spanish
et|Estonian
eu|Basque
fa|Persian
ff|Fula
fi|Finnish
fil|Filipino
fj|Fijian
fo|Faroese
fr|French
fy|Western Frisian
ga|Irish
gaa|Ga
gd|Scottish Gaelic
gl|Galician
gn|Guarani
gu|Gujarati
ha|Hausa
haw|Hawaiian
he|Hebrew
hi|Hindi
hr|Croatian
ht|Haitian Creole
hu|Hungarian
hy|Armenian
id|Indonesian
ig|Igbo
ilo|Iloko
is|Icelandic
it|Italian
ja|Japanese
jv|Javanese
ka|Georgian
kg|Kongo
kk|Kazakh
kl|Kalaallisut
km|Khmer
kn|Kannada
ko|Korean
kok|Konkani
kri|Krio
ku|Kurdish
ky|Kyrgyz
la|Latin
lb|Luxembourgish
lg|Ganda
ln|Lingala
lo|Lao
lt|Lithuanian
lua|Luba-Lulua
lv|Latvian
mai|Maithili
mfe|Morisyen
mg|Malagasy
mi|Māori
mk|Macedonian
ml|Malayalam
mn|Mongolian
mr|Marathi
ms|Malay
mt|Maltese
my|Burmese
nb|Norwegian Bokmål
ne|Nepali
nl|Dutch
nn|Norwegian Nynorsk
no|Norwegian
nso|Northern Sotho
ny|Nyanja
oc|Occitan
om|Oromo
or|Odia
pa|Punjabi
pcm|Nigerian Pidgin
pl|Polish
ps|Pashto
pt-BR|Portuguese (Brazil)
pt-PT|Portuguese (Portugal)
qu|Quechua
quc|Kʼicheʼ
rm|Romansh
rn|Rundi
ro|Romanian
ru|Russian
rw|Kinyarwanda
sa|Sanskrit
sd|Sindhi
si|Sinhala
sk|Slovak
sl|Slovenian
sm|Samoan
sn|Shona
so|Somali
sq|Albanian
sr|Serbian
st|Southern Sotho
su|Sundanese
sv|Swedish
sw|Swahili
ta|Tamil
te|Telugu
tg|Tajik
th|Thai
ti|Tigrinya
tk|Turkmen
tn|Tswana
to|Tongan
tr|Turkish
ts|Tsonga
tt|Tatar
ug|Uyghur
uk|Ukrainian
ur|Urdu
uz|Uzbek
vi|Vietnamese
wo|Wolof
xh|Xhosa
yo|Yoruba
yue|Cantonese
zh-CN|Chinese (Simplified)
zh-HK|Chinese (Traditional)
zh-TW|Chinese (Traditional)
zu|Zulu
`;
