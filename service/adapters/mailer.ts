import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { withoutEncodedWords } from '#platform/mail-name.ts';
import { refuseInsideTransaction } from '#platform/outbound/safe-fetch.ts';
import type { Secret } from '#platform/secret.ts';

/** SMTP_* of the configuration. The host is set by the operator, never by a customer, so its address is not checked. */
export type SmtpSettings = {
  host: string;
  port: number;
  user: string | null;
  password: Secret | null;
  from: string;
  /** `auto`: TLS from the first byte on port 465, otherwise STARTTLS, and nothing is sent without it. */
  security: SmtpSecurity;
};
export const SMTP_SECURITIES = ['auto', 'tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof SMTP_SECURITIES)[number];

export type Letter = {
  /** The same for all attempts, so that receivers can detect duplicates. */
  id: string;
  fromName: string;
  replyTo: string | null;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachment: LetterAttachment | null;
  /** Address that ends this kind of mail by one POST, without asking (RFC 8058). */
  listUnsubscribe: string | null;
};
export type LetterAttachment = { name: string; content: Buffer; contentType: string };

/**
 * Outcome of one attempt. `refused`: the server will never accept this mail. `later`: it may later. `away`: no server was reached, or it refuses
 * the account; nothing was sent. `unknown`: the connection broke after the mail was sent.
 */
export type SendOutcome =
  | { kind: 'sent' }
  | { kind: 'refused'; answer: string }
  | { kind: 'later'; answer: string }
  | { kind: 'away'; error: AwayError; answer: string | null }
  | { kind: 'unknown' };
export type AwayError =
  | 'name_not_found'
  | 'connection_refused'
  | 'connection_failed'
  | 'timeout'
  | 'tls_failed'
  | 'login_refused'
  | 'sender_refused'
  | 'limit_reached'
  | 'protocol';

export type MailState = 'ok' | 'degraded' | 'down';

export type Mailer = {
  /** Domain of the address that mails are sent from. */
  domain: string;
  /** Makes one attempt; never throws for errors of the server. */
  send(letter: Letter): Promise<SendOutcome>;
  /** Checks connection, encryption and login; the result is cached for 30 s. */
  check(): Promise<MailState>;
  close(): void;
};

const CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** Shorter than servers allow, so that the server never closes a reused connection during a mail. */
const IDLE_MS = 15_000;
const CHECK_CACHE_MS = 30_000;
const SLOW_MS = 3_000;
const ANSWER_MAX = 300;

/** For tests. `ca`: certificates to trust in place of the machine's. `slowMs`: from when on a server counts as slow. */
export type MailerOptions = { ca?: string; now?: () => number; slowMs?: number };

export function createMailer(settings: SmtpSettings, options: MailerOptions = {}): Mailer {
  const { now = Date.now, slowMs = SLOW_MS } = options;
  const domain = settings.from.split('@').at(-1) ?? 'localhost';
  const transport = createTransport({ pool: true, ...connectionOptions(settings, domain, options.ca) });
  // An idle connection may break; the next mail opens another.
  transport.on('error', () => undefined);
  let known: { at: number; state: Promise<MailState> } | undefined;

  const verify = async (): Promise<MailState> => {
    const startedAt = performance.now();
    try {
      await transport.verify();
      return performance.now() - startedAt > slowMs ? 'degraded' : 'ok';
    } catch (error) {
      // A temporary refusal shows that the server is up.
      return codeOf(error) >= 400 && codeOf(error) < 500 ? 'degraded' : 'down';
    }
  };
  return {
    domain,
    async send(letter) {
      refuseInsideTransaction();
      const bytes = await compose(letter, settings.from, domain);
      const raw = Readable.from([bytes], { objectMode: false });
      try {
        await transport.sendMail({ envelope: { from: settings.from, to: letter.to }, raw });
        known = { at: now(), state: Promise.resolve('ok') };
        return { kind: 'sent' };
      } catch (error) {
        const outcome = sortError(error, raw);
        if (outcome.kind === 'away') known = { at: now(), state: Promise.resolve('down') };
        return outcome;
      } finally {
        raw.destroy();
      }
    },
    check() {
      refuseInsideTransaction();
      if (known && now() - known.at < CHECK_CACHE_MS) return known.state;
      const found = verify();
      // Responds in time; a later result replaces the cached one.
      const entry = { at: now(), state: Promise.race([found, delay(slowMs, 'degraded' as const, { ref: false })]) };
      known = entry;
      void found.then((state) => (entry.state = Promise.resolve(state)));
      return entry.state;
    },
    close: () => transport.close(),
  };
}

function connectionOptions({ host, port, user, password, security }: SmtpSettings, domain: string, ca: string | undefined) {
  const secure = security === 'tls' || (security === 'auto' && port === 465);
  return {
    host,
    port,
    secure,
    requireTLS: !secure && security !== 'none',
    ignoreTLS: security === 'none',
    ...(user === null ? {} : { auth: { user, pass: password?.reveal() ?? '' } }),
    // EHLO name: the sender's domain instead of this machine's name.
    name: domain,
    tls: { minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) },
    maxConnections: CONNECTIONS,
    // A retry by the pool could send a mail twice unnoticed.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Composes the bytes of the mail here, so that it is known whether they were sent. */
function compose(letter: Letter, from: string, domain: string): Promise<Buffer> {
  return new MailComposer({
    messageId: `<${letter.id}@${domain}>`,
    from: { name: withoutEncodedWords(letter.fromName), address: from },
    ...(letter.replyTo === null ? {} : { replyTo: { name: '', address: letter.replyTo } }),
    to: { name: '', address: letter.to },
    subject: withoutEncodedWords(letter.subject),
    text: letter.text,
    html: letter.html,
    ...(letter.attachment === null
      ? {}
      : {
          attachments: [
            { filename: letter.attachment.name, content: letter.attachment.content, contentType: letter.attachment.contentType },
          ],
        }),
    // Suppresses automatic replies (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      ...listHeaders(letter.listUnsubscribe),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** One click in the mail program posts to the address. A prepared value is not folded: some programs read the first line only. */
function listHeaders(address: string | null): Record<string, string | { prepared: true; value: string }> {
  if (address === null) return {};
  return {
    'List-Unsubscribe': { prepared: true, value: `<${address}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

const NEVER_ARRIVED: Record<string, AwayError> = {
  EDNS: 'name_not_found',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls_failed',
  EREQUIRETLS: 'tls_failed',
  EAUTH: 'login_refused',
  ENOAUTH: 'login_refused',
  EPROTOCOL: 'protocol',
};

/** Refusals because the account has sent its share (Gmail, Outlook, shared hosts): they end by themselves, within a day. */
const USED_UP = /\b5\.4\.5\b|\b5\.1\.90\b|\b5\.7\.23[23]\b|(?:sending|relay|daily|hourly)[\w ]{0,40} (?:quota|limit)/i;

/** Classifies by the server's response and its command; without a response, by how much of the mail was sent. */
function sortError(error: unknown, raw: Readable): SendOutcome {
  const [code, command, cause] = (['code', 'command', 'originalCode'] as const).map((name) => textOf(error, name)) as [
    string,
    string,
    string,
  ]; // three in, three out
  const status = codeOf(error);
  const answer = answerOf(error);
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutThisMail) {
    if (status >= 500 && USED_UP.test(answer)) return { kind: 'away', error: 'limit_reached', answer };
    if (status >= 500 && command === 'MAIL FROM') return { kind: 'away', error: 'sender_refused', answer };
    // Without a status the library refused an address no server would accept.
    return status >= 400 && status < 500 ? { kind: 'later', answer } : { kind: 'refused', answer };
  }
  if (status === 421) return { kind: 'later', answer };
  if (code !== 'EAUTH' && raw.readableEnded) return { kind: 'unknown' };
  if (cause === 'ECONNREFUSED') return { kind: 'away', error: 'connection_refused', answer: null };
  if (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN') return { kind: 'away', error: 'name_not_found', answer: null };
  if (cause.startsWith('ERR_TLS') || cause.includes('CERT') || cause.startsWith('ERR_SSL'))
    return { kind: 'away', error: 'tls_failed', answer: null };
  // A response to a login may repeat the password, so it is dropped.
  return { kind: 'away', error: NEVER_ARRIVED[code] ?? 'connection_failed', answer: null };
}

function memberOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function textOf(error: unknown, name: string): string {
  const value = memberOf(error, name);
  return typeof value === 'string' ? value : '';
}

/** Returns the server's status; 0 without a response. */
function codeOf(error: unknown): number {
  const value = memberOf(error, 'responseCode');
  return typeof value === 'number' ? value : 0;
}

/** Returns the server's response on one short line; it is shown to staff. */
function answerOf(error: unknown): string {
  const text = textOf(error, 'response') || (error instanceof Error ? error.message : '');
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_MAX);
}
