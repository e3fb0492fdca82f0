// cspell:disable
/** Names of the items that SurveyJS adds to choices, in the order of the words below. */
const names = ['yes', 'no', 'none', 'refused', 'dontknow', 'other'] as const;

export type Word = (typeof names)[number];

/** The words of survey-core (MIT license) by locale. A test compares them. */
const words: Record<string, string> = {
  ar: 'نعم | لا | لا شيء | رفض الإجابة | لا أعرف | نص آخر',
  bg: 'Да | Не | Нито един | Отказва да отговори | Не знам | Друго (опишете)',
  ca: 'Sí | No | Cap | Negar-se a respondre | No sé | Un altre (descrigui)',
  cs: 'Ano | Ne | Žádný | Odmítnout odpovědět | Nevím | Jiná odpověď (napište)',
  cy: 'Iawn | Na | Dim | Gwrthod ateb | Ddim yn gwybod | Arall (disgrifiwch)',
  da: 'Ja | Ingen | Ingen | Nægt at svare | Ved ikke | Valgfrit svar...',
  de: 'Ja | Nein | Nichts trifft zu | Antwort verweigern | Weiß ich nicht | Sonstiges (Bitte angeben)',
  el: 'Ναι | Όχι | Κανένας | Αρνηθείτε να απαντήσετε | Δεν ξέρω | Άλλο (παρακαλώ διευκρινίστε)',
  en: "Yes | No | None | Refuse to answer | Don't know | Other (describe)",
  es: 'Sí | No | Ninguno | Negarse a responder | No sé | Otro (describa)',
  et: 'Jah | Ei | Mitte midagi | Keeldu vastamast | Ei tea | Muu (täpsusta)',
  eu: 'Bai | Ez | Bat ere ez | Erantzuteari uko egin | Ez dakit | Beste bat (zehaztu)',
  fa: 'بله | خیر | هیچ | امتناع از پاسخ دادن | نمی دانم | دیگر(توضیح)',
  fi: 'Kyllä | Ei | Ei mitään | Kieltäydy vastaamasta | Ei tiedä | Muu (tarkenna)',
  fil: 'Oo | Hindi | wala | Tumangging sumagot | hindi ko alam | Iba pa (ilarawan)',
  fr: 'Oui | Non | Aucun | Refuser de répondre | Sais pas | Autre (préciser)',
  he: 'כן | לא | אף אחד | מסרבים לענות | לא יודע | אחר (נא לתאר)',
  hi: 'हाँ | नहीं | कोई नहीं | जवाब देने से इनकार | नहीं मालूम | दूसरा (वर्णन करें)',
  hr: 'Da | Ne | Nitko | Odbijte odgovoriti | Ne znam | Ostali (opis)',
  ht: 'Wi | Non | Okenn | Refize reponn | pa konnen | Lòt (dekri)',
  hu: 'Igen | Nem | Egyik sem | A válaszadás megtagadása | Nem tudom | Egyéb (adja meg)',
  id: 'Iya | Tidak | Tidak Ada | Menolak untuk menjawab | Tidak tahu | Lainnya (jelaskan)',
  is: 'Já | Nei | Enginn | Neita að svara | Veit ekki | Hinn (skýring)',
  it: 'Sì | No | Nessuno | Rifiuta di rispondere | Non lo so | Altro (descrivi)',
  ja: 'はい | いいえ | なし | 回答を拒否する | わからない | その他（説明）',
  ka: 'დიახ | არა | არცერთი | უარი პასუხზე | არ ვიცი | სხვა (გთხოვთ მიუთითეთ)',
  kk: 'Иә | Жоқ | Жоқ | Жауап беруден бас тарту | Білмеймін | Басқа (өтінеміз, жазыңыз)',
  ko: '예 | 아니오 | 없음 | 대답 거부 | 모르다 | 기타 (설명)',
  lt: 'Taip | Ne | Nėra | Atsisakyti atsakyti | Nežinau | Kita (įvesti)',
  lv: 'Jā | Nē | Nav | Atteikties atbildēt | Es nezinu | Cits (lūdzu, aprakstiet!)',
  mk: 'Да | Не | Ништо | Одбиј да одговориш. | Не знам | Друго (опиши)',
  mm: 'Yes | No | ဘာမျှမရှိပါ | ဖြေဆိုရန်ငြင်းဆန်သည် | မသိပါ | အခြား (ဖော်ပြပါ)',
  ms: 'Ya | Tidak | Tiada | Enggan menjawab | Tak tahu | Lain (terangkan)',
  nl: 'Ja | Nee | Geen | Weiger te antwoorden | Weet niet | Anders, nl.',
  'nl-be': 'Ja | Nee | Geen | Weiger te antwoorden | Weet niet | Anders, nl.',
  no: 'Ja | Nei | Ingen | Nekter å svare | Vet ikke | Annet (beskriv)',
  pl: 'Tak | Nie | Brak | Odmów odpowiedzi | Nie wiem | Inna odpowiedź (wpisz)',
  pt: 'Sim | Não | Nenhum | Recusar-se a responder | Não sei | Outros (descrever)',
  'pt-br': 'Sim | Não | Nenhum | Recusar-se a responder | Não sei | Outros (descrever)',
  ro: 'da | Nu | Nici unul | Refuză să răspundă | Nu ştiu | Altul(precizaţi)',
  ru: 'Да | Нет | Нет | Отказываюсь отвечать | Не знаю | Другое (пожалуйста, опишите)',
  sk: 'Áno | Nie | Žiadne | Odmietnuť odpovedať | Neviem | Iné (opíšte)',
  sl: 'Da | Ne | Noben | Zavrni odgovor | Ne vem | Drugo (opišite)',
  sr: 'Da | Ne | Ništa | Odbijanje odgovora | Ne znam | Drugo (upiši)',
  sv: 'Ja | Nej | Ingen | Vägra svara | Vet inte | Annat (beskriv)',
  sw: 'Ndio | Hapana | Hakuna | Kukataa kujibu | Sijui | Nyingine (eleza)',
  tel: 'అవును | లేదు | ఎవరు కాదు | సమాధానం ఇవ్వడానికి నిరాకరించండి | తెలియదు | ఇతరమైన(వివరించండి)',
  tg: "Yes | No | Не | Refuse to answer | Don't know | Дигар (лутфан тавсиф кунед)",
  th: 'ใช่ | ไม่ใช่ | ไม่มี | ปฏิเสธที่จะตอบ | ไม่ทราบ | อื่นๆ (โปรดระบุ)',
  tr: 'Evet | Hayır | Hiçbiri | Cevap vermeyi reddet | Bilmiyorum | Diğer (açıklayınız)',
  uk: 'Так | Ні | Жоден | Відмовтеся відповідати | Не знаю | Інше (будь ласка, опишіть)',
  vi: 'Có | Không | Trống | Từ chối trả lời | Không biết | Khác (mô tả)',
  'zh-cn': '是 | 否 | 无 | 拒绝回答 | 不知道 | 填写其他答案',
  'zh-tw': '是的 | 不 | 沒有 | 拒絕回答 | 不知道 | 填寫其他答案',
};

/** @param locales in lower case, the best first; English if SurveyJS has none of them */
export function wordsOf(locales: readonly string[]): Record<Word, string> {
  const found = locales.find((locale) => Object.hasOwn(words, locale)) ?? 'en';
  const texts = words[found]!.split(' | ');
  return Object.fromEntries(names.map((name, n) => [name, texts[n]!])) as Record<Word, string>;
}
