import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Behaviour, startSmtp, type SmtpSetup, type TestSmtp } from '@partner-portal/tests/harness/smtp.ts';
import { Secret } from '#platform/secret.ts';
import { createMailer, type Letter, type Mailer, type SmtpSettings } from './mailer.ts';

/** The mailer against a real mail server. */

const LOGIN = { name: 'portal', password: 'smtp-password-of-the-tests' };
const letter: Letter = {
  id: '0190c0de-0000-7000-8000-000000000001',
  fromName: 'Acme "Best" Agency',
  replyTo: 'help@acme.example',
  to: 'ada@example.com',
  subject: 'Grüße aus Köln',
  text: 'One line\nAnother line\n',
  html: '<p>One line</p>',
  attachment: null,
  listUnsubscribe: null,
};
const opened: { close(): void }[] = [];
const servers: TestSmtp[] = [];

function mailerFor(
  smtp: { port: number; certificate?: { cert: string } },
  change: Partial<SmtpSettings> = {},
  trusts = true,
  now?: () => number,
): Mailer {
  const settings: SmtpSettings = {
    host: '127.0.0.1',
    port: smtp.port,
    user: null,
    password: null,
    from: 'no-reply@portal.example',
    security: 'auto',
    ...change,
  };
  // A busy machine is no slow server.
  const options = { slowMs: 600_000, ...(now ? { now } : {}) };
  const mailer = createMailer(settings, { ...options, ...(trusts && smtp.certificate ? { ca: smtp.certificate.cert } : {}) });
  opened.push(mailer);
  return mailer;
}

async function serve(setup?: SmtpSetup): Promise<TestSmtp> {
  const smtp = await startSmtp(setup);
  servers.push(smtp);
  return smtp;
}

after(async () => {
  for (const one of opened) one.close();
  await Promise.all(servers.map((one) => one.stop()));
});

describe('a mail that is taken', () => {
  it('arrives as it was written, from the agency by name, with an id that stays', async () => {
    const smtp = await serve();
    const mailer = mailerFor(smtp);
    assert.deepEqual([await mailer.send(letter), await mailer.send(letter)], [{ kind: 'sent' }, { kind: 'sent' }]);
    const [first, second] = smtp.received;
    assert.ok(first && second);
    assert.deepEqual([first.from, first.to, first.secure], ['no-reply@portal.example', 'ada@example.com', true]);
    assert.equal(first.mail.messageId, `<${letter.id}@portal.example>`);
    assert.equal(second.mail.messageId, first.mail.messageId);
    assert.deepEqual(first.mail.from, { name: 'Acme "Best" Agency', address: 'no-reply@portal.example' });
    assert.equal(first.mail.replyTo?.[0]?.address, 'help@acme.example');
    assert.deepEqual(
      [first.mail.subject, first.mail.text?.trim(), first.mail.html?.trim()],
      [letter.subject, letter.text.trim(), letter.html],
    );
    assert.match(first.raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.doesNotMatch(first.raw, /nodemailer|x-mailer/i, 'nobody needs to know by which program');
  });

  const names = [
    'Bergmann, Söhne @ Wein; (Praxis)',
    '=?UTF-8?Q?Bank_=3Cservice=40bank.example=3E?=',
    'x =?utf-8?b?QmFuaw==?= y',
    'Dr. "Ö" Lee',
  ];
  for (const name of names)
    it(`shows a name and a subject as they were written, and no address in them: ${name}`, async () => {
      const smtp = await serve();
      await mailerFor(smtp).send({ ...letter, fromName: name, subject: name });
      const [{ raw, mail } = assert.fail()] = smtp.received;
      const shown = (text: string | undefined): string | undefined => text?.replaceAll('\u2060', '');
      assert.deepEqual([shown(mail.from?.name), mail.from?.address], [name, 'no-reply@portal.example']);
      assert.equal(shown(mail.subject), name);
      for (const line of raw.split('\r\n').filter((one) => /^(?:From|Subject):/.test(one))) assert.match(line, /^[\x20-\x7e]{1,78}$/);
    });

  it('can be ended by one click where the mail says so, and by none otherwise (RFC 8058)', async () => {
    const smtp = await serve();
    const mailer = mailerFor(smtp);
    const url = `https://portal.example/notifications/unsubscribe?token=${'x'.repeat(180)}`;
    await mailer.send({ ...letter, listUnsubscribe: url });
    await mailer.send(letter);
    const [bulk, personal] = smtp.received.map(({ mail }) => new Map(mail.headers.map(({ key, value }) => [key, value])));
    assert.equal(bulk?.get('list-unsubscribe'), `<${url}>`);
    assert.ok(smtp.received[0]?.raw.includes(`List-Unsubscribe: <${url}>\r\n`), 'on one line');
    assert.equal(bulk?.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.ok(!personal?.has('list-unsubscribe') && !personal?.has('list-unsubscribe-post'));
  });

  it('goes by TLS from the first byte, with a login, when it is told to', async () => {
    const smtp = await serve({ secure: true, user: LOGIN });
    const mailer = mailerFor(smtp, { security: 'tls', user: LOGIN.name, password: new Secret(LOGIN.password) });
    assert.deepEqual(await mailer.send(letter), { kind: 'sent' });
    assert.deepEqual([smtp.received[0]?.secure, smtp.received[0]?.user], [true, LOGIN.name]);
    assert.equal(await mailer.check(), 'ok');
  });

  it('goes in the open only where that was asked for', async () => {
    const smtp = await serve({ startTls: false });
    assert.deepEqual(await mailerFor(smtp).send(letter), { kind: 'away', error: 'tls_failed', answer: null });
    assert.deepEqual(smtp.received, []);
    assert.deepEqual(await mailerFor(smtp, { security: 'none' }).send(letter), { kind: 'sent' });
  });
});

describe('what a server says', () => {
  let smtp: TestSmtp;
  let mailer: Mailer;
  before(async () => {
    smtp = await serve();
    mailer = mailerFor(smtp);
  });
  afterEach(() => {
    for (const name of Object.keys(smtp.behaviour)) delete smtp.behaviour[name as keyof Behaviour]; // its own names
  });
  const answers: [string, Behaviour, object][] = [
    [
      'no such person',
      { recipient: () => ({ code: 550, text: '5.1.1 nobody here' }) },
      { kind: 'refused', answer: '550 5.1.1 nobody here' },
    ],
    [
      'not now, for a person',
      { recipient: () => ({ code: 450, text: '4.2.1 try later' }) },
      { kind: 'later', answer: '450 4.2.1 try later' },
    ],
    [
      'a quota of the account',
      { message: { code: 550, text: '5.4.5 Daily user sending quota exceeded.' } },
      { kind: 'away', error: 'limit_reached', answer: '550 5.4.5 Daily user sending quota exceeded.' },
    ],
    [
      'a limit of the relay',
      { message: { code: 552, text: 'You are over your hourly relay quota' } },
      { kind: 'away', error: 'limit_reached', answer: '552 You are over your hourly relay quota' },
    ],
    [
      'a mailbox that is over its quota',
      { message: { code: 552, text: '5.2.2 The email account that you tried to reach is over quota' } },
      { kind: 'refused', answer: '552 5.2.2 The email account that you tried to reach is over quota' },
    ],
    ['not this text', { message: { code: 554, text: '5.7.1 looks like spam' } }, { kind: 'refused', answer: '554 5.7.1 looks like spam' }],
    ['not now, for a text', { message: { code: 451, text: '4.3.0 disk full' } }, { kind: 'later', answer: '451 4.3.0 disk full' }],
    [
      'not from you',
      { sender: { code: 553, text: '5.7.1 not yours' } },
      { kind: 'away', error: 'sender_refused', answer: '553 5.7.1 not yours' },
    ],
    ['too many of you', { connection: { code: 421, text: '4.7.0 slow down' } }, { kind: 'later', answer: '421 4.7.0 slow down' }],
  ];
  for (const [said, behaviour, outcome] of answers) {
    it(`"${said}" is told apart`, async () => {
      await mailer.send(letter); // a kept connection behaves like a fresh one
      Object.assign(smtp.behaviour, behaviour);
      const fresh = behaviour.connection ? mailerFor(smtp) : mailer;
      assert.deepEqual(await fresh.send(letter), outcome);
    });
  }

  it('a connection that breaks after the mail was handed over leaves the outcome unknown, and nothing is sent again', async () => {
    smtp.received.length = 0;
    smtp.behaviour.dropAfterMessage = true;
    assert.deepEqual(await mailer.send(letter), { kind: 'unknown' });
    assert.equal(smtp.received.length, 1);
    smtp.behaviour.dropAfterMessage = false;
    assert.deepEqual(await mailer.send(letter), { kind: 'sent' });
  });
});

describe('a server that takes no part', () => {
  it('is away when nobody listens, and back when somebody does', async () => {
    const smtp = await serve();
    const mailer = mailerFor(smtp);
    await smtp.stop();
    assert.deepEqual(await mailer.send(letter), { kind: 'away', error: 'connection_refused', answer: null });
    await smtp.start();
    assert.deepEqual(await mailer.send(letter), { kind: 'sent' });
  });

  it('is away when its name is not known', async () => {
    assert.deepEqual(await mailerFor({ port: 2525 }, { host: 'nowhere.invalid' }).send(letter), {
      kind: 'away',
      error: 'name_not_found',
      answer: null,
    });
  });

  it('is away when nobody vouches for its certificate', async () => {
    const smtp = await serve();
    assert.deepEqual(await mailerFor(smtp, {}, false).send(letter), { kind: 'away', error: 'tls_failed', answer: null });
    assert.deepEqual(smtp.received, []);
  });

  it('is away when it refuses the login, whose password is repeated to nobody', async () => {
    const smtp = await serve({ user: LOGIN });
    const outcome = await mailerFor(smtp, { user: LOGIN.name, password: new Secret('wrong password') }).send(letter);
    assert.deepEqual(outcome, { kind: 'away', error: 'login_refused', answer: null });
  });

  it('is away when it hangs up before a word', async () => {
    const mute = createServer((socket) => socket.destroy());
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    assert.ok(typeof address === 'object' && address);
    const outcome = await mailerFor({ port: address.port }).send(letter);
    assert.deepEqual(outcome, { kind: 'away', error: 'connection_failed', answer: null });
    mute.close();
  });
});

describe('the check', () => {
  it('asks the server once in 30 seconds however often it is asked, and knows what a mail has shown meanwhile', async () => {
    const smtp = await serve();
    let now = 1_000_000;
    const mailer = mailerFor(smtp, {}, true, () => now);
    assert.deepEqual(await Promise.all(Array.from({ length: 50 }, () => mailer.check())), Array(50).fill('ok'));
    assert.equal(smtp.connections(), 1);
    await smtp.stop();
    assert.equal(await mailer.check(), 'ok', 'still what was found');
    now += 30_000;
    assert.equal(await mailer.check(), 'down');
    await smtp.start();
    assert.equal(await mailer.check(), 'down');
    assert.deepEqual(await mailer.send(letter), { kind: 'sent' });
    assert.equal(await mailer.check(), 'ok', 'a mail has gone');
  });

  it('calls a server that is there and busy degraded, and a refused login down', async () => {
    const smtp = await serve({ user: LOGIN });
    assert.equal(await mailerFor(smtp, { user: LOGIN.name, password: new Secret('wrong password') }).check(), 'down');
    smtp.behaviour.connection = { code: 421, text: 'busy' };
    assert.equal(await mailerFor(smtp, { user: LOGIN.name, password: new Secret(LOGIN.password) }).check(), 'degraded');
  });
});
