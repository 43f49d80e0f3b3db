import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askedByText, keywordOfText, type TextKeyword } from './opt-out.ts';

const OPT_OUT = [
  // The words of the rule, and their spellings
  [
    'STOP',
    'QUIT',
    'END',
    'REVOKE',
    'OPT OUT',
    'CANCEL',
    'UNSUBSCRIBE',
    'stop',
    'Stop',
    'sToP',
    'quit',
    'End',
    'revoke',
    'Opt out',
    'cancel',
    'Unsubscribe',
  ],
  [
    'STOPP',
    'Stopp!',
    'STOOOP',
    'STOPALL',
    'Stop all',
    'stop-all',
    'opt-out',
    'OPTOUT',
    'Opt‑Out',
    'opt  out',
    'S.T.O.P.',
    's t o p',
    'unsubcribe',
    'ＳＴＯＰ',
  ],
  // Punctuation, space and signs around
  [
    ' stop ',
    'STOP.',
    'STOP!',
    'STOP!!!',
    '"STOP"',
    '“Stop”',
    '(stop)',
    'Stop\n',
    '\tSTOP\r\n',
    'STOP 🛑',
    '🛑 stop',
    'STOP…',
    'ST\u200BOP',
    '\uFEFFSTOP',
    'STOP STOP STOP',
    'stop, stop',
  ],
  // Politeness
  [
    'STOP. Thank you',
    'please stop',
    'Please STOP!',
    'Stop please',
    'pls stop',
    'stop thx',
    'Stop, thanks',
    'Hi, please stop',
    'ok stop',
    'Unsubscribe, thank you very much',
    'Cancel please',
    'just stop',
    'stop now',
    'Yes, stop',
  ],
  // Whole wishes
  [
    'Stop texting me',
    'please stop texting me',
    'stop messaging me',
    'Stop sending me texts',
    'Stop sending these messages',
    'No more texts',
    'no more messages please',
    "Don't text me",
    'Don’t text me again',
    'Do not text me',
    'unsubscribe me',
    'Opt me out',
    'I want to opt out',
    "I'd like to opt out",
    'Remove me from your list',
    'Take me off your list',
    'Can you stop texting me?',
    'I revoke my consent',
    'stop it',
  ],
  // German
  [
    'STOPP',
    'ABMELDEN',
    'Bitte abmelden',
    'abmelden, danke',
    'Abbestellen',
    'Austragen',
    'Ende',
    'Beenden',
    'Keine SMS mehr',
    'Bitte keine SMS mehr!',
    'Keine Nachrichten mehr',
    'Ich möchte mich abmelden',
    'Ich moechte mich abmelden',
    'Ich möchte keine SMS mehr',
    'Schreiben Sie mir nicht mehr',
    'Hör auf',
    'Widerruf',
  ],
  // Spanish
  [
    'BAJA',
    'ALTO',
    'Alto, por favor',
    'baja gracias',
    'Parar',
    'Cancelar',
    'Detener',
    'Salir',
    'Darme de baja',
    'Quiero darme de baja',
    'No más mensajes',
    'no mas mensajes',
    'No me escriban más',
    '¡Basta!',
    'Dejen de escribirme',
    'Cancelar suscripción',
  ],
  // Several wishes of the list, one after the other
  [
    'Stop! Do not text me again',
    'STOP. Unsubscribe.',
    'Stop, remove me from your list',
    'Stop. Keine SMS mehr.',
    'stop texting me, leave me alone',
    'No más mensajes, por favor. BAJA',
    'STOP - opt me out, thanks',
    'Hello. Please stop.\nUnsubscribe me',
  ],
  // French
  ['ARRET', 'ARRÊT', 'Arrêt', 'arre\u0302t', "Arrêtez s'il vous plaît", 'Arrêter', 'Désabonner', 'Me désabonner', 'Plus de SMS'],
].flat();
const OPT_IN = ['START', 'start', 'Start!', ' START. ', 'Start please', 'please start', 'UNSTOP', 'unstop', 'Unstop, thanks'];
const YES = ['YES', 'yes', ' Yes! ', 'yes.'];
const NEITHER = [
  [
    'Stop by tomorrow, please',
    'No, end of May',
    'Stop. When do you open?',
    'Cancel, I will come on Friday',
    'STOP. START',
    'Thanks! Bye.',
    'cancel my appointment on Friday',
    'Can I cancel my visit?',
    'Please cancel the order',
    'Where is the bus stop?',
    'Can I stop by tomorrow?',
    'I will stop at the shop',
    "Don't stop",
    'Non-stop flight?',
  ],
  [
    'When does the sale end?',
    'at the end of the day',
    'The end of May works',
    'I quit smoking',
    'Do you revoke licences?',
    'How do I unsubscribe from the newsletter of last year, and what does it cost?',
    'Is there an opt out for the warranty?',
  ],
  ['stopper', 'stopwatch', 'endlich', 'weekend', 'cancellation policy?', 'Cancelled', 'one stop shop', 'stop sign', 'Stop 12', 'end 5pm'],
  [
    'Termin absagen bitte',
    'Wann endet der Kurs?',
    'Kann ich mich für Freitag abmelden?',
    'Am Ende der Straße',
    'Wie hoch ist der Baum?',
    'baja temporada',
    '¿Está en la planta baja?',
    'El techo es alto',
    'para mañana',
    'Cancelar mi cita del viernes',
    "L'arrêt de bus",
    'arrêt de bus',
  ],
  [
    '',
    ' ',
    '!!!',
    '👍',
    'thanks',
    'please',
    'ok thanks',
    'No',
    'no thanks',
    'Hello',
    'HELP',
    'yes please',
    'Yes, Friday works',
    'start at nine?',
    'When do you start',
    'Did the course start?',
    'unstoppable',
  ],
].flat();

describe('what a text asks for besides an answer', () => {
  const table: [TextKeyword | null, string[]][] = [
    ['opt_out', OPT_OUT],
    ['opt_in', OPT_IN],
    ['yes', YES],
    [null, NEITHER],
  ];
  for (const [keyword, texts] of table)
    for (const text of texts) it(`${JSON.stringify(text)}: ${keyword ?? 'nothing'}`, () => assert.equal(keywordOfText(text), keyword));

  it('leaves a long text to the agent, at no cost', () => assert.equal(keywordOfText(`stop${' '.repeat(100_000)}`), null));
});

describe('the text that an event carries', () => {
  const FAQ = {
    inputs: [
      { key: 'from', aliases: ['From'] },
      { key: 'body', aliases: ['Body', 'text'] },
    ],
  } as never;
  const CALL = { inputs: [{ key: 'callerNumber', aliases: ['From', 'from', 'Caller'] }] } as never;
  const VISIT = { inputs: [{ key: 'attendeePhone', aliases: ['phone', 'Phone'] }] } as never;
  const from = '+1 (312) 555-0121';
  const out = { keyword: 'opt_out', contact: '+13125550121', foundBy: 'word' };
  for (const [what, template, input, expected] of [
    ['at the agent that answers texts', FAQ, { from, body: 'Stop' }, out],
    ['at an agent for missed calls, as a form', CALL, { callerNumber: from, Body: 'STOP' }, out],
    ['at an agent without such inputs', VISIT, { From: from, Body: 'STOP' }, out],
    ['at an agent of an unknown template', undefined, { From: from, Body: 'STOP' }, out],
    ['said by the provider alone', FAQ, { from, body: 'no me gusta', OptOutType: 'STOP' }, { ...out, foundBy: 'provider' }],
    ['said by both', FAQ, { from, body: 'stop', OptOutType: 'STOP' }, { ...out, foundBy: 'provider' }],
    ['said by the text although the provider heard another word', FAQ, { from, body: 'stop', OptOutType: 'START' }, out],
    ['start, said by the provider', FAQ, { from, body: 'ok', OptOutType: 'START' }, { ...out, keyword: 'opt_in', foundBy: 'provider' }],
    [
      'help, which the provider has answered',
      FAQ,
      { from, body: 'HELP', OptOutType: 'HELP' },
      { ...out, keyword: 'help', foundBy: 'provider' },
    ],
    ['help, which no provider has answered', FAQ, { from, body: 'HELP' }, null],
    ['a question', FAQ, { from, body: 'When do you open?' }, null],
    ['a call', CALL, { callerNumber: from }, null],
    ['a visit that is texted, not a text from its guest', VISIT, { attendeePhone: from, message: 'stop' }, null],
    ['from an address', FAQ, { from: 'ada@example.com', body: 'stop' }, null],
    ['from no one', FAQ, { body: 'stop' }, null],
    ['no text', FAQ, { from, body: ['stop'] }, null],
  ] as const)
    it(what, () => assert.deepEqual(askedByText(template, input), expected));
});
