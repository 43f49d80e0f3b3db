import { eventOf, form, json, mail, multipart } from '../events.ts';
import type { Expected, Row, TemplateName } from '../row.ts';

/**
 * Requests that mail gateways send for an incoming mail: SendGrid (multipart/form-data with envelope and charsets), Mailgun (sender in addition to From, body-plain), Postmark and
 * others (JSON), and the addresses that people type.
 */

const TRIAGE: readonly TemplateName[] = ['ai-email-triage'];
const REPLY: readonly TemplateName[] = ['lead-follow-up-email'];

/** Answered by a mail to this address. */
const answeredTo = (to: string): Expected => ({ mail: to, mails: [{ to }] });

const from = (name: string, came: string, address: string): Row => ({
  name,
  templates: TRIAGE,
  send: mail(came),
  expect: answeredTo(address),
});
const unanswered = (name: string, came: string | null, reason: string): Row => ({
  name,
  templates: TRIAGE,
  send: mail(came),
  expect: { mails: [], output: { reason } },
});

const SENDERS: readonly Row[] = [
  from('a bare address', 'ada@example.com', 'ada@example.com'),
  from('a name and an address', 'Ada Byron <ada@example.com>', 'ada@example.com'),
  from('a quoted name with a comma', '"Byron, Ada" <ada@example.com>', 'ada@example.com'),
  from('a quoted name that is an address', '"boss@bank.example" <ada@example.com>', 'ada@example.com'),
  from('a name with an at sign', 'Ada @ Byron Ltd <ada@example.com>', 'ada@example.com'),
  from('an encoded name', '=?utf-8?Q?J=C3=BCrgen_Gro=C3=9F?= <juergen@example.com>', 'juergen@example.com'),
  from('an encoded name in base64', '=?UTF-8?B?SsO8cmdlbg==?= <juergen@example.com>', 'juergen@example.com'),
  from('angle brackets alone', '<ada@example.com>', 'ada@example.com'),
  from('mailto:', 'mailto:ada@example.com', 'ada@example.com'),
  from('mailto: with a subject', 'mailto:ada@example.com?subject=Hi', 'ada@example.com'),
  from('a domain in capitals', 'Ada@EXAMPLE.COM', 'Ada@example.com'),
  from('a plus address', 'ada+oak@example.com', 'ada+oak@example.com'),
  from('a domain with an umlaut', 'ada@müller.example', 'ada@xn--mller-kva.example'),
  from('spaces around', '  ada@example.com \n', 'ada@example.com'),
  from('a no-break space after it', 'ada@example.com\u00a0', 'ada@example.com'),
  from('a zero-width space in front', '\u200bada@example.com', 'ada@example.com'),
  from('several senders', 'Ada <ada@example.com>, Bo <bo@example.com>', 'ada@example.com'),
  from('a comment after it (RFC 5322)', 'ada@example.com (Ada Byron)', 'ada@example.com'),
  from('an apostrophe before the at sign', "siobhan.o'connor@example.com", "siobhan.o'connor@example.com"),
  unanswered('no-reply@', 'Shop <no-reply@shop.example>', 'no_reply_address'),
  unanswered('noreply@ with a tag', 'noreply+4711@shop.example', 'no_reply_address'),
  unanswered('do-not-reply@', 'do-not-reply@shop.example', 'no_reply_address'),
  unanswered('mailer-daemon@', 'Mail Delivery Subsystem <mailer-daemon@example.com>', 'no_reply_address'),
  unanswered('postmaster@', 'postmaster@example.com', 'no_reply_address'),
  unanswered('a bounce address with the recipient in it', 'bounces+4711-ada=example.com@mail.shop.example', 'no_reply_address'),
  unanswered('the business itself', 'Oak Street <hello@oak.example>', 'own_address'),
  unanswered('no sender', null, 'no_sender'),
  {
    ...unanswered('an empty sender, as bounces have', '<>', 'no_sender'),
    decided: 'RFC 5321, 4.5.5: the null path is that of notices which no one may answer.',
  },
  unanswered('words for a sender', 'Ada Byron', 'no_sender'),
  {
    ...unanswered('an Exchange address', '/O=OAK/OU=EXCHANGE/CN=RECIPIENTS/CN=ADA', 'no_sender'),
    decided: 'An X.500 address is none that mail reaches.',
  },
];

const GATEWAYS: readonly Row[] = [
  {
    name: 'Mailgun, From beside sender',
    templates: TRIAGE,
    send: form({
      sender: 'bounce+4711@mail.shop.example',
      From: 'Ada Byron <ada@example.com>',
      Subject: 'Question',
      'body-plain': 'Is it open?',
      timestamp: '1930000000',
    }),
    expect: answeredTo('ada@example.com'),
  },
  {
    name: 'WordPress by Mailgun, a contact form with its Reply-To',
    templates: TRIAGE,
    send: form({
      sender: 'wordpress@oak.example',
      From: 'Oak Street <wordpress@oak.example>',
      'Reply-To': 'Ada Byron <ada@example.com>',
      Subject: 'New entry: Contact',
      'body-plain': 'Is it open?',
    }),
    expect: { value: { replyTo: 'ada@example.com' }, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'Squarespace by SendGrid, a contact form with its Reply-To among the headers',
    templates: TRIAGE,
    send: multipart([
      ['headers', 'Received: by mx1\r\nReply-To: Ada Byron\r\n <ada@example.com>\r\nTo: hello@oak.example'],
      ['from', 'Squarespace <form-submission@squarespace.info>'],
      ['subject', 'Form Submission'],
      ['text', 'Is it open?'],
    ]),
    expect: { value: { replyTo: 'ada@example.com' }, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'SendGrid, a Reply-To without a name among the headers',
    templates: TRIAGE,
    send: multipart([
      ['headers', 'Received: by mx1\r\nReply-To: ada@example.com\r\nTo: hello@oak.example'],
      ['from', 'Squarespace <form-submission@squarespace.info>'],
      ['subject', 'Form Submission'],
      ['text', 'Is it open?'],
    ]),
    expect: { value: { replyTo: 'ada@example.com' }, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'Mailgun, sender before From',
    templates: TRIAGE,
    send: form([
      ['sender', 'envelope@mail.example'],
      ['subject', 'Question'],
      ['body-plain', 'Is it open?'],
      ['from', 'ada@example.com'],
    ]),
    expect: answeredTo('ada@example.com'),
  },
  {
    name: 'Mailgun, an automatic reply',
    templates: TRIAGE,
    send: form({
      From: 'Ada Byron <ada@example.com>',
      Subject: 'Re: your question',
      'body-plain': 'I am away.',
      'Auto-Submitted': 'auto-replied',
      'message-headers': '[["Auto-Submitted","auto-replied"]]',
    }),
    expect: { mails: [], output: { reason: 'automatic_mail' } },
  },
  {
    name: 'SendGrid, a newsletter',
    templates: TRIAGE,
    send: multipart([
      ['headers', 'Received: by mx1\r\nList-Unsubscribe: <https://news.example/leave>\r\nPrecedence: bulk'],
      ['from', 'News <news@shop.example>'],
      ['subject', 'This month'],
      ['text', 'Offers'],
    ]),
    expect: { mails: [], output: { reason: 'automatic_mail' } },
  },
  {
    name: 'SendGrid, by a Google Group at the domain of the business',
    templates: TRIAGE,
    send: multipart([
      [
        'headers',
        'Precedence: list\r\nMailing-list: list info@oak.example; contact info+owners@oak.example\r\nList-ID: <info.oak.example>\r\nList-Post: <https://groups.google.com/a/oak.example/group/info/post>,\r\n <mailto:info@oak.example>',
      ],
      ['from', 'Ada Byron <ada@example.com>'],
      ['subject', 'Question'],
      ['text', 'Is it open on Friday?'],
    ]),
    expect: answeredTo('ada@example.com'),
  },
  {
    name: 'SendGrid, by a Google Group in its own name, which names the writer',
    templates: TRIAGE,
    send: multipart([
      [
        'headers',
        'Precedence: list\r\nList-ID: <info.oak.example>\r\nList-Post: <mailto:info@oak.example>\r\nX-Original-Sender: ada@example.com\r\nX-Original-From: Ada Byron <ada@example.com>',
      ],
      ['from', "'Ada Byron' via Info <info@oak.example>"],
      ['subject', 'Question'],
      ['text', 'Is it open on Friday?'],
    ]),
    expect: { value: { replyTo: 'ada@example.com' }, mails: [{ to: 'ada@example.com' }] },
  },
  unanswered('a contact form of the website that names no writer', 'Oak Street <wordpress@oak.example>', 'own_domain'),
  {
    name: 'a receipt of a help desk without headers',
    templates: TRIAGE,
    send: form({ From: 'helpdesk@shop.example', Subject: '[Ticket #812] We have received your request', 'body-plain': 'Thank you.' }),
    expect: { mails: [], output: { reason: 'automatic_mail' } },
  },
  {
    name: 'SendGrid, multipart with envelope and charsets',
    templates: TRIAGE,
    send: multipart([
      ['headers', 'Received: by mx1'],
      ['from', 'Ada Byron <ada@example.com>'],
      ['to', 'hello@oak.example'],
      ['subject', 'Question'],
      ['text', 'Is it open?'],
      ['envelope', '{"to":["hello@oak.example"],"from":"bounce@mail.example"}'],
      ['charsets', '{"to":"UTF-8","subject":"UTF-8","from":"UTF-8","text":"utf-8"}'],
    ]),
    expect: answeredTo('ada@example.com'),
  },
  {
    name: 'SendGrid, a mail with the logo of its signature',
    templates: TRIAGE,
    send: multipart(
      [
        ['from', 'Ada Byron <ada@example.com>'],
        ['subject', 'Urgent: a leak'],
        ['text', 'Water in the basement, a flood!'],
        ['attachments', '1'],
        ['attachment-info', '{"attachment1":{"filename":"logo.png","type":"image/png","content-id":"x"}}'],
      ],
      [{ field: 'attachment1', filename: 'logo.png', content: 'PNG' }],
    ),
    expect: { mails: [{ to: 'owner@oak.example', subject: 'Urgent: Urgent: a leak', includes: ['Attachments (not passed on): 1'] }] },
  },
  {
    name: 'Mailgun, a mail with a photo',
    templates: TRIAGE,
    send: multipart(
      [
        ['From', 'Ada Byron <ada@example.com>'],
        ['Subject', 'Question'],
        ['body-plain', 'Is it open?'],
        ['attachment-count', '1'],
      ],
      [{ field: 'attachment-1', filename: 'roof.jpg', content: 'JFIF' }],
    ),
    expect: answeredTo('ada@example.com'),
  },
  {
    name: 'SendGrid, a text in ISO-8859-1',
    templates: TRIAGE,
    send: () => {
      const fields = multipart([
        ['from', 'ada@example.com'],
        ['subject', 'Frage'],
        ['text', 'Grüße'],
        ['charsets', '{"text":"iso-8859-1","subject":"UTF-8"}'],
      ])();
      return { ...fields, body: Buffer.from(String(fields.body), 'latin1') };
    },
    expect: { value: { text: 'Grüße' }, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'Postmark, a JSON body with its own names',
    templates: TRIAGE,
    send: json({ FromFull: { Email: 'ada@example.com' }, Subject: 'Question', TextBody: 'Is it open?' }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'subject' } },
    decided: 'JSON is read under the names of the inputs; How to connect says so.',
  },
  {
    name: 'a gateway that sends the same mail twice',
    templates: TRIAGE,
    send: () =>
      [1, 2].map(() =>
        form({ From: 'ada@example.com', Subject: 'Question', 'body-plain': 'Is it open?', 'Message-Id': '<twice@mail.example>' })(),
      ),
    expect: { runs: 1, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'SendGrid, the same mail twice',
    templates: TRIAGE,
    send: () =>
      [1, 2].map(() =>
        multipart([
          ['headers', 'Received: by mx1\r\nMessage-ID: <again@mail.example>'],
          ['from', 'ada@example.com'],
          ['subject', 'Question'],
          ['text', 'Is it open?'],
        ])(),
      ),
    expect: { runs: 1, mails: [{ to: 'ada@example.com' }] },
  },
  {
    name: 'a mail without a text',
    templates: TRIAGE,
    send: form({ From: 'ada@example.com', Subject: 'Urgent: a leak in the basement', 'body-plain': '' }),
    expect: { mails: [{ to: 'owner@oak.example', subject: 'Urgent: Urgent: a leak' }] },
  },
  {
    name: 'a mail of HTML alone',
    templates: TRIAGE,
    send: form({
      From: 'ada@example.com',
      Subject: 'Basement',
      'body-plain': '',
      'body-html': '<html><style>p { color: red }</style><p>Urgent: a leak, a flood&nbsp;&amp; more</p></html>',
    }),
    expect: { mails: [{ to: 'owner@oak.example', includes: ['a leak, a flood & more'] }] },
  },
  {
    name: 'a mail of HTML alone, next to an empty field under the name of the input itself',
    templates: TRIAGE,
    send: form({ from: 'ada@example.com', subject: 'Basement', text: '', html: '<p>Urgent: a leak, a flood</p>' }),
    expect: { mails: [{ to: 'owner@oak.example', includes: ['a leak, a flood'] }] },
  },
  {
    name: 'a mail without a subject and without a text',
    templates: TRIAGE,
    send: form({ From: 'ada@example.com', Subject: '', 'body-plain': '' }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'subject' } },
  },
  {
    name: 'a mail without a subject',
    templates: TRIAGE,
    send: form({ From: 'ada@example.com', Subject: '', 'body-plain': 'Urgent: water in the basement, a flood!' }),
    expect: { mails: [{ to: 'owner@oak.example', subject: 'Urgent: (no subject)' }] },
  },
  {
    name: 'an urgent mail',
    templates: TRIAGE,
    send: json(eventOf('ai-email-triage', { text: 'Urgent: the basement is under water, a flood!' })),
    expect: { mails: [{ to: 'owner@oak.example', subject: 'Urgent: ' }] },
  },
  {
    name: 'an urgent mail whose sender no one can answer',
    templates: TRIAGE,
    send: json(eventOf('ai-email-triage', { fromEmail: 'no-reply@alarm.example', text: 'Urgent: a leak!' })),
    expect: { mails: [{ to: 'owner@oak.example' }] },
  },
  {
    name: 'a subject with an encoded word',
    templates: TRIAGE,
    send: json(eventOf('ai-email-triage', { subject: '=?utf-8?Q?Bank_=3Cx=40bank.example=3E?=' })),
    expect: { mails: [{ to: 'ada@example.com', subject: 'Re: = ?utf-8?Q?Bank' }] },
  },
  {
    name: 'a subject with a line break',
    templates: TRIAGE,
    send: json(eventOf('ai-email-triage', { subject: 'Question\r\nBcc: eve@example.com' })),
    expect: { mails: [{ to: 'ada@example.com', subject: 'Question Bcc: eve@example.com' }] },
  },
  {
    name: 'a reply to a client whose name needs encoding',
    templates: TRIAGE,
    client: 'berlin',
    send: json(eventOf('ai-email-triage')),
    expect: { mails: [{ to: 'ada@example.com', from: /^(?:"[^"]*"|=\?utf-8\?\S+\?=(?: =\?utf-8\?\S+\?=)*) <hello@oak\.example>$/i }] },
  },
];

const optional = (name: string, came: string, address: string | null): Row => ({
  name: `an optional address: ${name}`,
  templates: ['lead-qualifier', 'quote-follow-up', 'appointment-reminder', 'lead-intake-cleaner'],
  send: mail(came),
  expect: { mail: address },
});
const required = (name: string, came: string, address: string | null): Row => ({
  name: `a required address: ${name}`,
  templates: REPLY,
  send: mail(came),
  expect: address === null ? { refused: { status: 422, code: 'invalid_input', field: 'leadEmail' } } : answeredTo(address),
});

const TYPED: readonly Row[] = [
  optional('a name with it', 'Ada Byron <ada@example.com>', 'ada@example.com'),
  optional('mailto:', 'mailto:ada@example.com', 'ada@example.com'),
  optional('"none"', 'none', null),
  optional('without a top-level domain', 'ada@example', null),
  optional('two at signs', 'ada@@example.com', null),
  required('a plain one', 'ada@example.com', 'ada@example.com'),
  required('a name with it', 'Ada <ada@example.com>', 'ada@example.com'),
  required('quotes around', '"ada@example.com"', 'ada@example.com'),
  required('a full stop after it', 'ada@example.com.', 'ada@example.com'),
  required('a domain with an umlaut', 'ada@müller.example', 'ada@xn--mller-kva.example'),
  required('words', 'call me instead', null),
  required('a phone number', '+13125550121', null),
  required('no at sign', 'ada.example.com', null),
  required('a space in it', 'ada byron@', null),
  {
    name: 'a required address: of a machine',
    templates: REPLY,
    send: mail('no-reply@shop.example'),
    expect: { mails: [], output: { reason: 'no_reply_address' } },
  },
  {
    name: 'a required address: missing',
    templates: REPLY,
    send: mail(undefined),
    expect: { refused: { status: 422, code: 'missing_input', field: 'leadEmail' } },
  },
];

export const MAIL_GATEWAYS: readonly Row[] = [...SENDERS, ...GATEWAYS, ...TYPED];
