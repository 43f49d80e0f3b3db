import { eventOf, form, json, multipart, person, raw, someone, words } from '../events.ts';
import type { Expected, Row, Send, TemplateName } from '../row.ts';

/**
 * What forms send: Contact Form 7, WPForms, Gravity Forms, Elementor (WordPress), Webflow, Squarespace, Typeform, Jotform, Google Forms through a script, HubSpot,
 * Facebook lead ads and plain HTML forms.
 */

const LEADS: readonly TemplateName[] = ['lead-follow-up-email', 'lead-qualifier', 'lead-intake-cleaner'];
const REPLY: readonly TemplateName[] = ['lead-follow-up-email'];
const QUOTE: readonly TemplateName[] = ['quote-follow-up'];
const REVIEW: readonly TemplateName[] = ['review-request'];
const INTAKE: readonly TemplateName[] = ['lead-intake-cleaner'];
const URLENCODED = 'application/x-www-form-urlencoded';

const nameKey = (template: TemplateName): string => (template === 'lead-intake-cleaner' ? 'name' : 'leadName');
const mailKey = (template: TemplateName): string => (template === 'lead-intake-cleaner' ? 'email' : 'leadEmail');

/** A lead whose name, address and words were understood. */
const lead =
  (name: string, email: string, message: string) =>
  (template: TemplateName): Expected => ({ value: { [nameKey(template)]: name, [mailKey(template)]: email, message } });
const ADA = lead('Ada Byron', 'ada@example.com', 'Do you have time on Friday?');
const ADA_FIELDS = { name: 'Ada Byron', email: 'ada@example.com', message: 'Do you have time on Friday?' };

const SHAPES: readonly Row[] = [
  { name: 'a plain HTML form', templates: LEADS, send: form(ADA_FIELDS), expect: ADA },
  {
    name: 'Elementor, names in capitals',
    templates: LEADS,
    send: form({ Name: 'Ada Byron', Email: 'ada@example.com', Message: 'Do you have time on Friday?', 'Page URL': 'https://oak.example' }),
    expect: ADA,
  },
  {
    name: 'WPForms, names in all capitals',
    templates: LEADS,
    send: form({ NAME: 'Ada Byron', EMAIL: 'ada@example.com', MESSAGE: 'Do you have time on Friday?' }),
    expect: ADA,
  },
  {
    name: 'Squarespace, "comments"',
    templates: LEADS,
    send: form({ name: 'Ada Byron', email: 'ada@example.com', comments: 'Do you have time on Friday?' }),
    expect: ADA,
  },
  { name: 'a form in multipart/form-data', templates: LEADS, send: multipart(Object.entries(ADA_FIELDS)), expect: ADA },
  {
    name: 'a form in multipart/form-data with an empty file field',
    templates: REPLY,
    send: () => withFile('', ''),
    expect: ADA('lead-follow-up-email'),
  },
  {
    name: 'a form with a file',
    templates: REPLY,
    send: () => withFile('roof.jpg', 'JFIF'),
    expect: { refused: { status: 415, code: 'unsupported_media_type' } },
  },
  {
    name: 'a form with the charset in its type',
    templates: LEADS,
    send: () => ({ ...form(ADA_FIELDS)(), contentType: `${URLENCODED}; charset=UTF-8` }),
    expect: ADA,
  },
  {
    name: 'an old form in ISO-8859-1 that says so',
    templates: REPLY,
    send: () => ({
      body: Buffer.from('name=J%FCrgen+Gro%DF&email=juergen%40example.com&message=Gr%FC%DFe', 'latin1'),
      contentType: `${URLENCODED}; charset=iso-8859-1`,
    }),
    expect: lead('Jürgen Groß', 'juergen@example.com', 'Grüße')('lead-follow-up-email'),
  },
  {
    name: 'an old form in windows-1252 that does not say so',
    templates: REPLY,
    send: () => ({
      body: Buffer.from('name=J\xfcrgen+Gro\xdf&email=juergen%40example.com&message=10+\x80', 'latin1'),
      contentType: URLENCODED,
    }),
    expect: lead('Jürgen Groß', 'juergen@example.com', '10 €')('lead-follow-up-email'),
  },
  {
    name: 'an old form that names its charset in _charset_',
    templates: REPLY,
    send: () => ({ body: '_charset_=iso-8859-15&name=J%FCrgen&email=juergen%40example.com&message=10+%A4', contentType: URLENCODED }),
    expect: lead('Jürgen', 'juergen@example.com', '10 €')('lead-follow-up-email'),
  },
  {
    name: 'a form in a charset that no one knows',
    templates: REPLY,
    send: () => ({ ...form(ADA_FIELDS)(), contentType: `${URLENCODED}; charset=x-mac-klingon` }),
    expect: { refused: { status: 415, code: 'unsupported_media_type' } },
  },
  {
    name: 'a form with a byte order mark',
    templates: LEADS,
    send: () => ({ ...form(ADA_FIELDS)(), body: Buffer.from(`\ufeff${String(form(ADA_FIELDS)().body)}`) }),
    expect: ADA,
  },
  {
    name: 'JSON with a byte order mark',
    templates: LEADS,
    send: (template) => ({ body: Buffer.from(`\ufeff${JSON.stringify(jsonLead(template))}`) }),
    expect: ADA,
  },
  {
    name: 'JSON in UTF-16 that says so',
    templates: REPLY,
    send: (template) => ({
      body: Buffer.from(`\ufeff${JSON.stringify(jsonLead(template))}`, 'utf16le'),
      contentType: 'application/json; charset=utf-16',
    }),
    expect: ADA('lead-follow-up-email'),
  },
  {
    name: 'JSON as application/vnd.api+json',
    templates: LEADS,
    send: (template) => ({ body: jsonLead(template), contentType: 'application/vnd.api+json' }),
    expect: ADA,
  },
  {
    name: 'JSON as text/plain',
    templates: REPLY,
    send: (template) => ({ body: JSON.stringify(jsonLead(template)), contentType: 'text/plain' }),
    expect: { refused: { status: 415, code: 'unsupported_media_type' } },
  },
  {
    name: 'JSON without a type',
    templates: REPLY,
    send: (template) => ({ body: Buffer.from(JSON.stringify(jsonLead(template))), contentType: null }),
    expect: { refused: { status: 415, code: 'unsupported_media_type' } },
  },
  {
    name: 'a trailing slash on the URL',
    templates: REPLY,
    send: (template) => ({ body: jsonLead(template), pathEnd: '/' }),
    expect: ADA('lead-follow-up-email'),
  },
  {
    name: 'a GET of the URL in a browser',
    templates: REPLY,
    send: () => ({ body: null, method: 'GET', contentType: null }),
    expect: { refused: { status: 405, code: 'method_not_allowed', headers: { allow: 'POST' } } },
  },
  {
    name: 'a HEAD, as form builders check an address',
    templates: REPLY,
    send: () => ({ body: null, method: 'HEAD', contentType: null }),
    expect: { refused: { status: 405, headers: { allow: 'POST' } } },
  },
  {
    name: 'a text that is no JSON',
    templates: REPLY,
    send: raw('{name: Ada}'),
    expect: { refused: { status: 400, code: 'malformed_json' } },
  },
  { name: 'an empty body', templates: REPLY, send: raw(''), expect: { refused: { status: 400, code: 'malformed_json' } } },
  {
    name: 'a JSON text alone',
    templates: REPLY,
    send: raw('"ada@example.com"'),
    expect: { refused: { status: 422, code: 'validation_failed' } },
  },
  { name: 'an empty list', templates: REPLY, send: json([]), expect: { refused: { status: 422, code: 'validation_failed' } } },
  {
    name: 'a list of texts',
    templates: REPLY,
    send: json(['ada@example.com']),
    expect: { refused: { status: 422, code: 'validation_failed' } },
  },
  {
    name: 'a list of three leads',
    templates: REPLY,
    send: () => ({ body: ['a', 'b', 'c'].map((letter) => eventOf('lead-follow-up-email', { leadEmail: `${letter}@example.com` })) }),
    expect: { runs: 3, mails: [{ to: 'a@example.com' }, { to: 'b@example.com' }, { to: 'c@example.com' }] },
  },
  {
    name: 'a list of one lead',
    templates: REPLY,
    send: () => ({ body: [eventOf('lead-follow-up-email')] }),
    expect: { runs: 1, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'a list of leads of which one is not complete',
    templates: REPLY,
    send: () => ({ body: [eventOf('lead-follow-up-email'), { leadName: 'Bo' }] }),
    expect: { runs: 1, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'a list of leads, none complete',
    templates: REPLY,
    send: json([{ leadName: 'Bo' }, { leadName: 'Cy' }]),
    expect: { refused: { status: 422, code: 'missing_input' } },
  },
  {
    name: 'a list for a template that takes one',
    templates: INTAKE,
    send: json([{ email: 'ada@example.com' }, { email: 'ADA@example.com', name: 'Ada Byron' }]),
    expect: { runs: 1, output: { duplicates: 1 } },
  },
  {
    name: 'a form whose only field is JSON, "payload"',
    templates: ['lead-follow-up-email', 'lead-qualifier'],
    send: (template) => form({ payload: JSON.stringify(jsonLead(template)) })(),
    expect: ADA,
  },
  {
    name: 'a form whose only field is JSON, "data"',
    templates: REPLY,
    send: (template) => form({ data: JSON.stringify(jsonLead(template)) })(),
    expect: ADA('lead-follow-up-email'),
  },
  {
    name: 'a form whose only field is JSON, and whose template has such an input',
    templates: INTAKE,
    send: form({ payload: '{"name":"Ada Byron","email":"ada@example.com"}' }),
    expect: { output: { verdict: 'ready' } },
  },
  {
    name: 'Jotform, rawRequest beside other fields',
    templates: REPLY,
    send: multipart([
      ['formID', '231'],
      ['submissionID', '5931'],
      ['pretty', 'Name:Ada Byron'],
      ['rawRequest', JSON.stringify(jsonLead('lead-follow-up-email'))],
    ]),
    expect: ADA('lead-follow-up-email'),
    decided: 'The issue speaks of a form with one field that holds JSON; Jotform puts it beside its own fields.',
  },
  {
    name: 'Facebook lead ads through a script, full_name and phone_number',
    templates: INTAKE,
    send: form({ full_name: 'Ada Byron', email: 'ada@example.com', phone_number: '+13125550121' }),
    expect: { value: { name: 'Ada Byron', phone: '+13125550121' } },
  },
  {
    name: 'Facebook lead ads, its own envelope',
    templates: REPLY,
    send: json({ object: 'page', entry: [{ changes: [{ field: 'leadgen', value: { leadgen_id: '1' } }] }] }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'leadEmail' } },
  },
  {
    name: 'Typeform, its envelope',
    templates: REPLY,
    send: json({ event_type: 'form_response', form_response: { answers: [{ type: 'email', email: 'ada@example.com' }] } }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'leadEmail' } },
  },
  {
    name: 'Webflow, its envelope',
    templates: REPLY,
    send: json({ triggerType: 'form_submission', payload: { name: 'Contact', data: { Email: 'ada@example.com' } } }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'leadEmail' } },
  },
  {
    name: 'fields that no one asked for',
    templates: LEADS,
    send: form({ ...ADA_FIELDS, 'g-recaptcha-response': '03AG', _wpnonce: '1f', submit: 'Send' }),
    expect: ADA,
  },
  {
    name: 'a hidden empty twin of a field, by its alias',
    templates: REPLY,
    send: form([
      ['email', ''],
      ['Email', 'ada@example.com'],
      ['name', 'Ada Byron'],
      ['message', 'Do you have time on Friday?'],
    ]),
    expect: ADA('lead-follow-up-email'),
  },
  {
    name: 'hidden empty twins under the names of the inputs themselves',
    templates: INTAKE,
    send: form([
      ['name', ''],
      ['fullName', 'Ada Byron'],
      ['email_address', 'ada@example.com'],
      ['email', ''],
      ['message', ' '],
      ['comments', 'Do you have time on Friday?'],
    ]),
    expect: ADA,
  },
  {
    name: 'a field of checkboxes, its name twice',
    templates: REPLY,
    send: form([...Object.entries(ADA_FIELDS), ['interest', 'Whitening'], ['interest', 'Implants']]),
    expect: { value: { service: 'Whitening, Implants' } },
  },
  {
    name: 'a field of checkboxes, its name with brackets',
    templates: REPLY,
    send: form([...Object.entries(ADA_FIELDS), ['interest[]', 'Whitening'], ['interest[]', 'Implants']]),
    expect: { value: { service: 'Whitening, Implants' } },
  },
  {
    name: 'a field of checkboxes with one ticked',
    templates: REPLY,
    send: form([...Object.entries(ADA_FIELDS), ['interest[]', 'Whitening']]),
    expect: { value: { service: 'Whitening' } },
  },
  {
    name: 'checkboxes in multipart/form-data',
    templates: REPLY,
    send: multipart([...Object.entries(ADA_FIELDS), ['interest[]', 'Whitening'], ['interest[]', 'Implants']]),
    expect: { value: { service: 'Whitening, Implants' } },
  },
  {
    name: 'a JSON list for a text',
    templates: REPLY,
    send: json(eventOf('lead-follow-up-email', { service: ['Whitening', 'Implants'] })),
    expect: { value: { service: 'Whitening, Implants' } },
  },
  {
    name: 'an object for an optional text',
    templates: REPLY,
    send: json(eventOf('lead-follow-up-email', { service: { id: 7, label: 'Whitening' } })),
    expect: { value: { service: null }, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'an object for a required text',
    templates: REPLY,
    send: json(eventOf('lead-follow-up-email', { leadName: { first: 'Ada', last: 'Byron' } })),
    expect: { refused: { status: 422, code: 'invalid_input', field: 'leadName' } },
  },
  {
    name: 'null for an optional value',
    templates: REPLY,
    send: json(eventOf('lead-follow-up-email', { service: null })),
    expect: { value: { service: null }, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'a number for a text',
    templates: REPLY,
    send: json(eventOf('lead-follow-up-email', { source: 4711 })),
    expect: { value: { source: '4711' } },
  },
  {
    name: 'JSON with a member twice',
    templates: REPLY,
    send: raw('{"leadName":"Ada","leadEmail":"old@example.com","leadEmail":"ada@example.com","message":"Hello"}'),
    expect: { mail: 'ada@example.com', remark: 'leadEmail' },
  },
  {
    name: 'JSON with __proto__',
    templates: REPLY,
    send: raw('{"leadName":"Ada","leadEmail":"ada@example.com","__proto__":{"admin":true}}'),
    expect: { mail: 'ada@example.com', mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'JSON with an id over 2^53',
    templates: REPLY,
    send: raw('{"leadName":"Ada","leadEmail":"ada@example.com","submissionId":90071992547409931234}'),
    expect: { value: { submissionId: '90071992547409931234' } },
  },
  {
    name: 'JSON with 1e400',
    templates: REPLY,
    send: raw('{"leadName":"Ada","leadEmail":"ada@example.com","score":1e400}'),
    expect: { refused: { status: 422, code: 'validation_failed', field: 'score' } },
  },
  {
    name: 'a body of 2 MiB',
    templates: REPLY,
    send: () => ({ body: eventOf('lead-follow-up-email', { message: 'x'.repeat(2_097_152) }) }),
    expect: { refused: { status: 413, code: 'too_large' } },
  },
];

function jsonLead(template: TemplateName): { [key: string]: string } {
  return { [nameKey(template)]: ADA_FIELDS.name, [mailKey(template)]: ADA_FIELDS.email, message: ADA_FIELDS.message };
}

function withFile(filename: string, content: string): Send {
  return multipart(Object.entries(ADA_FIELDS), [{ field: 'photo', filename, content }])();
}

/** A quote that no other row is about: an answer ends what waits for it. */
const quoteOf = (phone: string): string => `https://oak.example/quote/${phone.slice(1)}`;

const answered = (name: string, came: string | boolean | number, isAnswered: boolean | null): Row => {
  const customerPhone = someone();
  return {
    name: `quote answered: ${name}`,
    templates: QUOTE,
    send: json(eventOf('quote-follow-up', { customerPhone, quoteUrl: quoteOf(customerPhone), answered: came })),
    expect:
      isAnswered === true
        ? { output: { reason: 'answered' }, texts: [] }
        : { value: { answered: isAnswered }, texts: [{ to: customerPhone }] },
  };
};

const BOOLEANS: readonly Row[] = [
  answered('true', true, true),
  answered('the text true', 'true', true),
  answered('Gravity Forms, "1"', '1', true),
  answered('the number 1', 1, true),
  answered('a checkbox, "on"', 'on', true),
  answered('"Yes"', 'Yes', true),
  answered('"y"', 'y', true),
  answered('"Ja"', 'Ja', true),
  answered('"sí"', 'sí', true),
  answered('"SI"', 'SI', true),
  answered('"accepted", which the template adds', 'accepted', true),
  answered('" YES " with spaces', ' YES ', true),
  answered('"No"', 'No', false),
  answered('"nein"', 'nein', false),
  answered('"off"', 'off', false),
  answered('"0"', '0', false),
  answered('the number 0', 0, false),
  answered('false', false, false),
  answered('nothing', '', null),
  answered('"Invoiced" of Xero', 'Invoiced', true),
  answered('"Closed Won" of HubSpot', 'Closed Won', true),
  answered('"document.completed" of PandaDoc', 'document.completed', true),
  answered('"erledigt"', 'erledigt', true),
  answered('"Awaiting response" of Jobber', 'Awaiting response', false),
  answered('"awaiting_response" of Jobber’s API', 'awaiting_response', false),
  answered('"CLOSED_LOST" of an API', 'CLOSED_LOST', true),
  answered('"enviada", of a cotización', 'enviada', false),
  answered('"aceptada", of a propuesta', 'aceptada', true),
  answered('"-" of a sheet', '-', null),
  answered('"n/a" of a sheet', 'n/a', null),
  {
    ...answered('"maybe"', 'maybe', null),
    expect: { value: { answered: null }, output: { reason: 'answer_not_understood' }, texts: [] },
  },
  {
    name: 'quote answered: a hidden field and a ticked checkbox of one name',
    templates: QUOTE,
    send: form([...stringsOf('quote-follow-up', { quoteUrl: quoteOf('+1') }), ['answered', '0'], ['answered', '1']]),
    expect: { output: { reason: 'answered' }, texts: [] },
    decided: 'Frameworks of the web send both, and the last one counts.',
  },
  {
    name: 'quote accepted, by the alias of a form',
    templates: QUOTE,
    send: form([...stringsOf('quote-follow-up', { quoteUrl: quoteOf('+2') }), ['accepted', 'yes']]),
    expect: { output: { reason: 'answered' }, texts: [] },
  },
];

function stringsOf(template: TemplateName, inputs: { readonly [key: string]: string } = {}): [string, string][] {
  return Object.entries(eventOf(template, inputs)).map(([key, value]) => [
    key,
    String(value).startsWith('@') ? '2026-01-02T09:00:00Z' : String(value),
  ]);
}

const rated = (name: string, came: string | number, expect: Expected, decided?: string): Row => ({
  name: `a rating: ${name}`,
  templates: REVIEW,
  send: json(eventOf('review-request', { rating: came })),
  expect,
  ...(decided === undefined ? {} : { decided }),
});
const ASKED: Expected = { texts: [{ to: '+13125550121' }], mails: [] };
const OWNER: Expected = { texts: [], mails: [{ to: 'owner@oak.example' }] };
const NOT_ASKED: Expected = { texts: [] };
const UNCLEAR = 'No one is asked for a public review whose rating is not understood, and an optional value fails no run.';

const RATINGS: readonly Row[] = [
  rated('5', 5, ASKED),
  rated('the text "5"', '5', ASKED),
  rated('"4.5"', '4.5', ASKED),
  rated('"4,5" in Chicago', '4,5', ASKED),
  rated('2', 2, OWNER),
  rated('"2 "', '2 ', OWNER),
  rated('"1.0"', '1.0', OWNER),
  rated('nothing', '', ASKED),
  rated('"4/5"', '4/5', ASKED),
  rated('"8 out of 10"', '8 out of 10', ASKED),
  rated('stars', '★★★★★', ASKED),
  rated('two stars of five', '★★☆☆☆', OWNER),
  rated('words', 'great', NOT_ASKED, UNCLEAR),
  rated('10, on another scale', 10, NOT_ASKED, UNCLEAR),
  rated('a negative number', -1, NOT_ASKED, UNCLEAR),
  rated('a German questionnaire, whose 5 is the worst', '5 - sehr unzufrieden', NOT_ASKED, UNCLEAR),
];

const linked = (name: string, came: string, value: string): Row => {
  const customerPhone = someone();
  return {
    name: `a quote link: ${name}`,
    templates: QUOTE,
    send: json(eventOf('quote-follow-up', { customerPhone, quoteUrl: came })),
    expect: { value: { quoteUrl: value }, texts: [{ to: customerPhone, includes: [value] }] },
  };
};
const notLinked = (name: string, came: string): Row => ({
  name: `a quote link: ${name}`,
  templates: QUOTE,
  send: json(eventOf('quote-follow-up', { quoteUrl: came })),
  expect: { refused: { status: 422, code: 'invalid_input', field: 'quoteUrl' } },
});

const LINKS: readonly Row[] = [
  linked('https', 'https://oak.example/q/1', 'https://oak.example/q/1'),
  linked('http', 'http://oak.example/q/1', 'http://oak.example/q/1'),
  linked('without a scheme', 'oak.example/q/1', 'https://oak.example/q/1'),
  linked('www', 'www.oak.example/q/1', 'https://www.oak.example/q/1'),
  linked('spaces around', '  https://oak.example/q/1\n', 'https://oak.example/q/1'),
  linked('angle brackets', '<https://oak.example/q/1>', 'https://oak.example/q/1'),
  linked('with a query', 'https://oak.example/q?id=1&t=a%20b', 'https://oak.example/q?id=1&t=a%20b'),
  linked('with an umlaut in its domain', 'https://müller.example/q/1', 'https://xn--mller-kva.example/q/1'),
  notLinked('javascript:', 'javascript:alert(1)'),
  notLinked('a file', 'file:///etc/passwd'),
  notLinked('ftp', 'ftp://oak.example/q.pdf'),
  notLinked('words', 'see attachment'),
];

const named = (name: string, came: string, value: string): Row => ({
  name: `a name: ${name}`,
  templates: ['lead-follow-up-email', 'review-request'],
  send: person(came),
  expect: (template) => ({ value: { [template === 'review-request' ? 'customerName' : 'leadName']: value } }),
});

const NAMES: readonly Row[] = [
  named('J.Smith', 'J.Smith', 'J.Smith'),
  named('Dr.Müller', 'Dr.Müller', 'Dr.Müller'),
  named('M.Sc. Petra Kühn', 'M.Sc. Petra Kühn', 'M.Sc. Petra Kühn'),
  named('Ma.Teresa Cruz', 'Ma.Teresa Cruz', 'Ma.Teresa Cruz'),
  named('decomposed accents, as macOS sends them', 'Jose\u0301 A\u0301lvarez', 'José Álvarez'),
  named('a Hebrew name with direction marks', '\u200fדוד כהן\u200f', '\u200fדוד כהן\u200f'),
  named('a name with an apostrophe', 'Siobhan O’Connor', 'Siobhan O’Connor'),
  named('a NUL in it', 'Ada\u0000 Byron', 'Ada Byron'),
  named('a line break in it', 'Ada\r\nByron', 'Ada Byron'),
];

/** What a public form may hold in place of a name goes to whom its phone number belongs. */
const greeted = (came: string, first: string): Row => ({
  name: `a name in a text: ${came}`,
  templates: ['review-request'],
  send: json(eventOf('review-request', { customerName: came, customerPhone: '+13125550121' })),
  config: { askText: 'Hi {firstName}, how was it? {reviewUrl}' },
  expect: { texts: [{ to: '+13125550121', includes: [first === '' ? 'Hi, how' : `Hi ${first}, how`] }] },
});

const GREETINGS: readonly Row[] = [
  greeted('J.Smith', 'J. Smith'),
  greeted('Dr.Müller', ''),
  greeted('Dr. Petra Müller', 'Petra'),
  greeted('Byron, Ada', 'Ada'),
  greeted('n/a', ''),
  greeted('Ma.Teresa Cruz', 'Ma. Teresa'),
  greeted('Evil.Com', 'Evil. Com'),
  ...['http://x.example', 'www.x.example', 'evil.example/x', 'evil.example', 'ada@x.example', 'tel:+19005550199', '+1 900 555 0199'].map(
    (came) => greeted(came, ''),
  ),
  {
    name: 'a service in a text: a link and a number',
    templates: ['review-request'],
    config: { askText: 'Hi {firstName}, about {service}: {reviewUrl}' },
    send: json(eventOf('review-request', { service: 'Roof repair evil.example/x call +1 900 555 0199' })),
    expect: {
      texts: [{ to: '+13125550121', includes: ['about Roof repair call: https'], excludes: ['evil.example', '900'] }],
    },
  },
];

const LONG_WORDS: readonly Row[] = [
  {
    name: 'a message of 60,000 characters',
    templates: ['lead-follow-up-email', 'lead-qualifier'],
    send: words('word '.repeat(12_000)),
    expect: {},
  },
  {
    name: 'a message with HTML',
    templates: ['lead-qualifier'],
    send: words('<b>Call me</b> today & <script>alert(1)</script>'),
    expect: { mails: [{ to: 'owner@oak.example', includes: ['<script>alert(1)</script>'] }] },
  },
];

export const FORM_BUILDERS: readonly Row[] = [...SHAPES, ...BOOLEANS, ...RATINGS, ...LINKS, ...NAMES, ...GREETINGS, ...LONG_WORDS];
