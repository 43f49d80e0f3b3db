import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAIL_KINDS, type MailKind } from '@partner-portal/contract/vocabulary.ts';
import { type Brand, composeMail } from './compose-mail.ts';
import type { MailData, NewMail } from './kinds.ts';
import { openBody, resealBody, sealBody } from '../delivery/seal-body.ts';

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
  mfa_enabled: { at },
  mfa_disabled: { at },
  recovery_codes_renewed: { at },
  application_received: { applicationKind: 'trial' },
  application_known_address: {},
  application_approved: { acceptUrl, expiresAt: later, fullName: EVIL, trialEndsAt: later },
  application_rejected: { fullName: EVIL, companyName: EVIL, note: `First line\n\n${EVIL}` },
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
  alert_opened: { severity: 'high', subject: EVIL, message: EVIL, at, href: '/dashboard/alerts' },
  alert_resolved: { subject: EVIL, message: EVIL, openedAt: at, at: later, href: '/dashboard/alerts' },
  webhook_failing: { url: `https://crm.example/${EVIL}`, failures: 21, lastError: EVIL, href: '/dashboard/webhooks' },
  sso_released: { at, reason: EVIL },
  account_suspended: { accountType: 'client', accountName: EVIL, at, reason: EVIL, href: '/dashboard/clients/1' },
  invoice_reminder: { number: '2026-000123', total: '€29.00', dueAt: at, overdueDays: 7, href: '/dashboard/billing' },
  payment_past_due: { invoices: [{ number: '2026-000123', total: '€29.00', dueAt: at }], suspendsAt: later, href: '/dashboard/billing' },
  notification: { title: EVIL, body: EVIL, href: '/dashboard/x' },
  digest: {
    from: at,
    to: later,
    total: 30,
    items: Array.from({ length: 30 }, () => ({ title: EVIL, body: EVIL, href: '/dashboard/x', at })),
    href: '/dashboard',
    settingsHref: '/dashboard/profile',
  },
};
const compose = (kind: MailKind, change: Partial<Brand> = {}) =>
  composeMail({ ...brand, ...change }, { partnerId: 'p', to: 'ada@example.com', kind, data: DATA[kind] } as NewMail); // the table pairs kind and data

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

  it('is covered by this test', () => assert.deepEqual(Object.keys(DATA).toSorted(), [...MAIL_KINDS].toSorted()));
});

describe('a mail', () => {
  it('shows times in the time zone of the partner', () => {
    assert.match(compose('invitation').text.replaceAll('\n', ' '), /Saturday, November 28, 2026 at 14:30 CST/);
    assert.match(compose('invitation', { timezone: 'Europe/Berlin' }).text.replaceAll('\n', ' '), /21:30 GMT\+1/);
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
    assert.equal(compose('application_received', { name: 'Partner Portal', viaDomain: null }).fromName, 'Partner Portal');
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

describe('a sealed body', () => {
  const ring = [
    { id: 'new', key: Buffer.alloc(32, 2) },
    { id: 'old', key: Buffer.alloc(32, 1) },
  ] as const;
  const place = { id: 'm1', partnerId: 'p1' };
  const body = compose('invitation');

  it('opens unchanged, and only in its own row', () => {
    const sealed = sealBody(ring, place, body);
    assert.equal(sealed.keyId, 'new');
    assert.ok(!sealed.sealed.includes('invite'));
    assert.deepEqual(openBody(ring, place, sealed), body);
    for (const other of [
      { ...place, id: 'm2' },
      { ...place, partnerId: 'p2' },
    ])
      assert.throws(() => openBody(ring, other, sealed), /not_authentic/);
    assert.throws(() => openBody(ring, place, { ...sealed, keyId: 'old' }), /not_authentic/);
    assert.throws(() => openBody(ring, place, { ...sealed, keyId: 'gone' }), /unknown_master_key/);
  });

  it('opens unchanged after it was rewrapped', () => {
    const old = sealBody([ring[1]], place, body);
    const fresh = resealBody(ring, place, old);
    assert.deepEqual([old.keyId, fresh.keyId], ['old', 'new']);
    assert.deepEqual(openBody([ring[0]], place, fresh), body);
  });
});
