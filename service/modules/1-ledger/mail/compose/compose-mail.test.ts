import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAIL_KINDS, type MailKind } from '@partner-portal/contract/vocabulary.ts';
import { type Brand, composeMail } from './compose-mail.ts';
import { IS_TRANSLATED, type MailData, type NewMail } from './kinds.ts';

const brand: Brand = {
  name: 'Acme Agency',
  logoUrl: '/media/logo.png',
  brandColor: '#24478f',
  supportEmail: 'help@acme.example',
  timezone: 'America/Chicago',
  viaDomain: 'portal.example',
  baseUrl: 'https://portal.example',
};
const at = new Date('2026-11-21T20:30:00.000Z');
const later = new Date('2026-11-28T20:30:00.000Z');
const acceptUrl = 'https://portal.example/invite/abc';

/** Valid data of each kind, with hostile text in every field a person may fill in. */
const EVIL = '<script>x</script>\r\nBcc: a@evil.example "quoted" & \'single\'';
const DATA: MailData = {
  invitation: { invitationKind: 'client_user', acceptUrl, expiresAt: later, fullName: EVIL, inviterName: EVIL, clientName: EVIL },
  password_reset: { resetUrl: 'https://portal.example/reset-password#t', expiresAt: later, fullName: EVIL },
  password_changed: { at, how: 'changed' },
  mfa_reset: { at, reason: EVIL },
  signed_out: { at, reason: EVIL },
  mfa_enabled: { at },
  mfa_disabled: { at },
  recovery_codes_renewed: { at },
  application_received: { applicationKind: 'trial' },
  application_known_address: {},
  application_approved: { acceptUrl, expiresAt: later, fullName: EVIL, trialEndsAt: later },
  application_rejected: { fullName: EVIL, companyName: EVIL, note: `First line\n\n${EVIL}` },
  plan_request_rejected: { fullName: EVIL, note: EVIL, href: '/dashboard/billing/plan' },
  invoice_issued: {
    number: '2026-000123',
    sellerName: EVIL,
    total: '€100.00',
    dueOn: 'December 7, 2026',
    creditsNumber: null,
    href: '/dashboard/billing',
  },
  credit_note_issued: {
    number: '2026-000124',
    sellerName: EVIL,
    total: '€100.00',
    dueOn: null,
    creditsNumber: '2026-000123',
    href: '/dashboard/billing',
  },
  invoice_voided: { number: '2026-000123', reason: EVIL, isDraftedAgain: true, href: '/dashboard/billing' },
  alert_opened: { severity: 'high', subject: EVIL, message: EVIL, at, href: '/dashboard/alerts' },
  alert_resolved: { subject: EVIL, message: EVIL, openedAt: at, at: later, href: '/dashboard/alerts' },
  webhook_failing: { url: `https://crm.example/${EVIL}`, failures: 21, lastError: EVIL, href: '/dashboard/webhooks' },
  sso_released: { at, reason: EVIL },
  domain_failing: { host: 'portal.agency.example', until: later, href: '/dashboard/settings/domain' },
  domain_stopped: { host: 'portal.agency.example', at, href: '/dashboard/settings/domain' },
  account_suspended: { accountType: 'client', accountName: EVIL, at, reason: EVIL, purgeAfter: later, href: '/dashboard/clients/1' },
  account_request_decided: {
    request: 'reactivation',
    approved: true,
    outcome: { suspendedUntil: later },
    accountType: 'client',
    accountName: EVIL,
    at,
    note: EVIL,
    href: '/dashboard/clients/1',
  },
  export_ready: { accountName: EVIL, sizeBytes: 1_240_000, expiresAt: later, href: '/dashboard/settings/account' },
  conversation_handed_off: { clientName: EVIL, visitorLabel: EVIL, why: 'visitor', message: EVIL, at, href: '/dashboard/inbox' },
  conversation_waiting: { clientName: EVIL, visitorLabel: EVIL, minutes: 30, message: EVIL, since: at, href: '/dashboard/inbox' },
  invoice_reminder: {
    number: '2026-000123',
    owed: '€29.00',
    dueOn: 'November 23, 2026',
    overdueDays: 7,
    suspendsAt: later,
    href: '/dashboard/billing',
  },
  payment_past_due: {
    invoices: [{ number: '2026-000123', owed: '€29.00', dueOn: 'November 23, 2026' }],
    suspendsAt: later,
    href: '/dashboard/billing',
  },
  report_ready: {
    clientName: EVIL,
    month: '2026-10',
    helped: 1234,
    hoursSaved: 12.5,
    failed: 1,
    previousHelped: 1000,
    worth: { currency: 'USD', minor: 123_450 },
    results: [{ agentName: EVIL, count: 1234, phrase: 'missed calls answered by text' }],
    href: '/client/report?month=2026-10',
    unsubscribeHref: '/reports/unsubscribe?token=x',
  },
  notification: { title: EVIL, body: EVIL, href: '/dashboard/x' },
  digest: {
    from: at,
    to: later,
    total: 30,
    items: Array.from({ length: 30 }, () => ({ title: EVIL, body: EVIL, href: '/dashboard/x', at })),
    href: '/dashboard',
    settingsHref: '/dashboard/profile',
  },
  newsletter_confirm: { confirmUrl: 'https://portal.example/confirm-newsletter?token=t', expiresAt: later, consent: EVIL },
  newsletter_subscribed: { unsubscribeHref: '/newsletter/unsubscribe?token=t' },
};
const compose = (kind: MailKind, change: Partial<Brand> = {}) =>
  composeMail({ ...brand, ...change }, { partnerId: 'p', to: 'ada@example.com', kind, data: DATA[kind] } as NewMail); // the table pairs kind and data

/** Kinds that reach users of clients. */
const TRANSLATED = MAIL_KINDS.filter((kind) => IS_TRANSLATED[kind]);
const ENGLISH_WORDS = new Set(
  'the you your this that with from and was were for are not has have will new once now here when sign link password account'.split(' '),
);

describe('every kind of mail', () => {
  for (const kind of MAIL_KINDS) {
    it(`${kind}: has a one-line subject, links on their own lines, partner and support in the footer, and no active content`, () => {
      const mail = compose(kind);
      assert.ok(mail.subject.length > 5 && mail.subject.length <= 150);
      assert.doesNotMatch(mail.subject, /\p{Cc}/u);
      for (const link of mail.links) {
        assert.ok(link.startsWith('https://portal.example/'));
        assert.ok(mail.text.split('\n').includes(link), link);
        assert.ok(mail.html.includes(`href="${link}"`));
      }
      assert.ok(mail.text.includes('\nAcme Agency\nQuestions? help@acme.example\n'));
      assert.ok(mail.html.includes('mailto:help@acme.example') && mail.html.includes('src="https://portal.example/media/logo.png"'));
      assert.doesNotMatch(mail.html, /<script|"quoted"| 'single'/);
      assert.doesNotMatch(`${mail.subject}${mail.text}${mail.html}`, /partner portal|undefined|\[object/i);
      for (const line of mail.text.split('\n')) assert.ok(line.length <= 78 || /https?:|: /.test(line), line);
      const opened = [...mail.html.matchAll(/<(table|tr|td|p|a|b|h1|span|blockquote|html|head|body|title)[ >]/g)].length;
      assert.equal(
        opened,
        [...mail.html.matchAll(/<\/(table|tr|td|p|a|b|h1|span|blockquote|html|head|body|title)>/g)].length,
        'every element is closed',
      );
    });
  }

  it('names a switch where there is one, and only there', () => {
    const listUnsubscribe = { url: '/notifications/unsubscribe?token=t' };
    const textOf = (kind: MailKind): string =>
      composeMail(brand, { partnerId: 'p', to: 'a@b.example', kind, data: DATA[kind], listUnsubscribe } as NewMail).text; // the table pairs kind and data
    // Each of them carries List-Unsubscribe; the kinds of alerts when they are sent as notifications (unsubscribe.test.ts).
    const switched = [
      'alert_opened',
      'alert_resolved',
      'webhook_failing',
      'notification',
      'digest',
      'newsletter_subscribed',
      'report_ready',
    ];
    const promises = /notifications in your (?:profile|settings)|turn it off|unsubscribe|abbestellen/i;
    assert.deepEqual(MAIL_KINDS.filter((kind) => promises.test(textOf(kind).replaceAll('\n', ' '))).toSorted(), switched.toSorted());
    assert.doesNotMatch(compose('notification').text.replaceAll('\n', ' '), promises, 'of a type that cannot be switched off');
  });

  it('is covered by this test', () => assert.deepEqual(Object.keys(DATA).toSorted(), [...MAIL_KINDS].toSorted()));
});

describe('a mail', () => {
  it('shows times in the time zone of the partner, or in the one that it names', () => {
    assert.match(compose('invitation').text.replaceAll('\n', ' '), /Saturday, November 28, 2026 at 14:30 CST/);
    assert.match(compose('invitation', { timezone: 'Europe/Berlin' }).text.replaceAll('\n', ' '), /21:30 GMT\+1/);
    const visit = { partnerId: 'p', to: 'a@b.example', kind: 'conversation_waiting', data: DATA.conversation_waiting } as const;
    assert.match(composeMail(brand, { ...visit, timezone: 'Europe/Berlin' }).text.replaceAll('\n', ' '), /GMT\+1/);
  });

  it('about an approved reactivation says what runs again: nothing of a client that is archived again', () => {
    for (const [outcome, means] of [
      ['archived_again', /archived again/],
      ['active', /active again/],
    ] as const) {
      const data = { ...DATA.account_request_decided, outcome, note: null };
      const { text } = composeMail(brand, { partnerId: 'p', to: 'a@b.example', kind: 'account_request_decided', data });
      assert.match(text, means);
      assert.equal(/accept events/.test(text), outcome === 'active');
    }
  });

  it('to a client is in the language of the reader, whole, with names and times', () => {
    for (const [language, subject, greeting, time, button, footer] of [
      [
        'es',
        'Acme Agency le invita',
        'Hola, Dana Oak:',
        /28 de noviembre de 2026/,
        'Aceptar la invitación',
        '¿Preguntas? help@acme.example',
      ],
      ['de-AT', 'Acme Agency lädt Sie ein', 'Guten Tag Dana Oak,', /28\. November 2026/, 'Einladung annehmen', 'Fragen? help@acme.example'],
      ['fr', 'Acme Agency invites you', 'Hello Dana Oak,', /November 28, 2026/, 'Accept invitation', 'Questions? help@acme.example'],
    ] as const) {
      const data = { ...DATA.invitation, fullName: 'Dana Oak', inviterName: null, clientName: 'Oak Street' };
      const mail = composeMail(brand, { partnerId: 'p', to: 'a@b.example', kind: 'invitation', data }, language);
      assert.equal(mail.subject, subject);
      for (const part of [greeting, time, `${button}:`, footer])
        assert.match(mail.text, typeof part === 'string' ? new RegExp(part.replace(/[?.+]/g, '\\$&')) : part);
      assert.match(mail.html, new RegExp(`<html lang="${language.slice(0, 2) === 'fr' ? 'en' : language.slice(0, 2)}"`));
    }
  });

  it('about an export has its size as the reader writes numbers', () => {
    const textOf = (language: string) =>
      composeMail(brand, { partnerId: 'p', to: 'a@b.example', kind: 'export_ready', data: DATA.export_ready }, language).text;
    for (const [language, size] of [
      ['de', 'Größe: 1,2 MB'],
      ['es', 'Tamaño: 1,2 MB'],
      ['es-MX', 'Tamaño: 1.2 MB'],
      ['en', 'Size: 1.2 MB'],
    ] as const)
      assert.ok(textOf(language).includes(size), textOf(language));
  });

  it('of each kind that reaches clients holds no English text in another language', () => {
    for (const kind of TRANSLATED)
      for (const language of ['de', 'es']) {
        const mail = { partnerId: 'p', to: 'ada@example.com', kind, data: DATA[kind] } as NewMail; // the table pairs kind and data
        const words = (of: string) => new Set(of.replaceAll(/https?:\S+/g, '').match(/\p{L}{3,}/gu));
        const english = words(composeMail({ ...brand, name: 'X' }, mail).text);
        const shared = [...words(composeMail({ ...brand, name: 'X' }, mail, language).text)].filter((word) => english.has(word));
        assert.deepEqual(
          shared.filter((word) => ENGLISH_WORDS.has(word.toLowerCase())),
          [],
          `${kind} ${language}`,
        );
      }
  });

  it('of every other kind is English throughout, also to an address that a user of a client has elsewhere', () => {
    for (const kind of MAIL_KINDS.filter((one) => !IS_TRANSLATED[one])) {
      const mail = { partnerId: 'p', to: 'ada@example.com', kind, data: DATA[kind] } as NewMail; // the table pairs kind and data
      assert.deepEqual(composeMail(brand, mail, 'de-DE'), composeMail(brand, mail), kind);
    }
  });

  it('about the own domain promises no switch, as there is none', () => {
    for (const kind of ['domain_failing', 'domain_stopped'] as const) {
      const { text } = compose(kind);
      assert.doesNotMatch(text, /get alerts|notifications/);
      assert.match(text.replaceAll('\n', ' '), /because you are an admin of Acme Agency/);
    }
    assert.doesNotMatch(compose('domain_stopped').text, /within a day/, 'CUSTOM_DOMAIN_CHECK_HOURS may be a week');
    assert.match(compose('alert_opened').text.replaceAll('\n', ' '), /Change your e-mail notifications/);
    assert.doesNotMatch(compose('alert_opened').text, /resolved/, 'the reader may have switched that mail off');
  });

  it('makes no link of a name, and leaves a person’s name with an address out of the greeting', () => {
    const data = {
      ...DATA.invitation,
      fullName: 'locked, sign in at https://evil.example',
      inviterName: 'evil.example',
      clientName: 'Booking.com Repairs',
    };
    const old = composeMail(
      { ...brand, name: 'PayPal https://evil.example' },
      { partnerId: 'p', to: 'a@b.example', kind: 'invitation', data },
    );
    for (const part of [old.subject, old.text, old.html]) {
      assert.doesNotMatch(part, /evil\.example|Booking\.com/);
      assert.doesNotMatch(part, /sign in at/);
    }
    assert.match(old.text, /^Hello,$/m);
    assert.match(
      old.text.replaceAll('\n', ' ').replaceAll('\u2060', ''),
      /PayPal https:\/\/evil\.example invites you to the portal of Booking\.com Repairs/,
    );
    const plain = { ...DATA.invitation, fullName: 'J. R. R. Tolkien', inviterName: 'Ann Lee', clientName: 'Smith & Co.' };
    const usual = composeMail(brand, { partnerId: 'p', to: 'a@b.example', kind: 'invitation', data: plain });
    assert.match(usual.text, /^Hello J\. R\. R\. Tolkien,$/m);
    assert.match(usual.text.replaceAll('\n', ' '), /Ann Lee of Acme Agency invites you to the portal of Smith & Co\.,/);
    assert.ok(!usual.text.includes('\u2060'));
  });

  it('shows the sending domain behind the agency’s name, unless the platform itself writes', () => {
    assert.equal(compose('invitation').fromName, 'Acme Agency via portal.example');
    assert.equal(compose('invitation', { name: 'Booking.com Repairs' }).fromName, 'Booking.com Repairs via portal.example');
    assert.equal(compose('application_received', { name: 'Portal', viaDomain: null }).fromName, 'Portal');
  });

  it('links to this portal only', () => {
    const elsewhere = (href: string) =>
      composeMail(brand, { partnerId: 'p', to: 'a@b.example', kind: 'alert_opened', data: { ...DATA.alert_opened, href } });
    for (const href of ['https://evil.example/', '//evil.example/x', 'javascript:alert(1)', 'https://portal.example.evil.example/'])
      assert.throws(() => elsewhere(href), /this portal only/, href);
    assert.deepEqual(elsewhere('/dashboard?x=1').links, ['https://portal.example/dashboard?x=1']);
  });

  it('omits a logo that is not a web address, and uses the default colour for an invalid one', () => {
    for (const logoUrl of ['javascript:alert(1)', 'data:image/svg+xml,<svg/>', null])
      assert.doesNotMatch(compose('digest', { logoUrl }).html, /<img/);
    assert.doesNotMatch(compose('digest', { brandColor: 'red;background:url(x)' }).html, /url\(/);
  });

  it('shows at most 20 items of a digest and how many more there are', () => {
    const { html, text } = compose('digest');
    assert.equal([...html.matchAll(/border-bottom/g)].length, 20);
    assert.match(text, /10 more are in the portal/);
  });
});
