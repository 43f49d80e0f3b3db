import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createMailer, type Mailer } from '@partner-portal/service/adapters/mailer.ts';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { makeCertificate, type TestCertificate } from './certificate.ts';
import { freePort } from './free-port.ts';

/** A mail as the server got it and as a receiver's program reads it. */
export type Received = { from: string; to: string; raw: string; mail: Email; secure: boolean; user: string | undefined };
type Refusal = { code: number; text: string };

/** What the server does otherwise than taking everything; may be changed while it runs. */
export type Behaviour = {
  connection?: Refusal | undefined;
  sender?: Refusal | undefined;
  recipient?: ((to: string) => Refusal | undefined) | undefined;
  /** After the whole mail has arrived. */
  message?: Refusal | undefined;
  /** The mail is kept, and the connection ends before the server says so. */
  dropAfterMessage?: boolean | undefined;
  /** Awaited when the whole mail has arrived, before it is answered. */
  beforeAnswer?: ((received: Received) => Promise<void>) | undefined;
};

export type TestSmtp = {
  port: number;
  received: Received[];
  behaviour: Behaviour;
  /** How many connections were opened so far. */
  connections(): number;
  certificate: TestCertificate;
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;
};

export type SmtpSetup = { user?: { name: string; password: string }; secure?: boolean; startTls?: boolean };

/** A real SMTP server on a loopback port. STARTTLS is offered unless `startTls` is false; with `user` it wants a login. */
export async function startSmtp(setup: SmtpSetup = {}): Promise<TestSmtp> {
  const certificate = makeCertificate({ host: '127.0.0.1' });
  const received: Received[] = [];
  const behaviour: Behaviour = {};
  let connections = 0;
  let server: SMTPServer | undefined;
  const sockets = new Set<Socket>();

  const options: SMTPServerOptions = {
    ...certificate,
    logger: false,
    secure: setup.secure ?? false,
    authOptional: setup.user === undefined,
    disabledCommands: [...(setup.user ? [] : ['AUTH']), ...(setup.startTls === false ? ['STARTTLS'] : [])],
    allowInsecureAuth: setup.startTls === false,
    onConnect: (_session, done) => {
      connections += 1;
      done(behaviour.connection && refusal(behaviour.connection));
    },
    onAuth: (auth, _session, done) => {
      const isKnown = auth.username === setup.user?.name && auth.password === setup.user?.password;
      if (isKnown) done(null, { user: auth.username });
      else done(refusal({ code: 535, text: `no such login: ${auth.password ?? ''}` }));
    },
    onMailFrom: (_address, _session, done) => done(behaviour.sender && refusal(behaviour.sender)),
    onRcptTo: ({ address }, _session, done) => {
      const refused = behaviour.recipient?.(address);
      done(refused && refusal(refused));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => void take(Buffer.concat(chunks), session, done));
    },
  };

  async function take(bytes: Buffer, session: SMTPServerSession, done: (error?: Error | null) => void): Promise<void> {
    if (behaviour.message) return done(refusal(behaviour.message));
    const { mailFrom, rcptTo } = session.envelope;
    const one: Received = {
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address).join(),
      raw: bytes.toString('utf8'),
      mail: await readMail(bytes),
      secure: session.secure,
      user: typeof session.user === 'string' ? session.user : undefined,
    };
    received.push(one);
    await behaviour.beforeAnswer?.(one);
    if (behaviour.dropAfterMessage) for (const socket of sockets) socket.destroy();
    else done();
  }

  const listen = async (port: number): Promise<number> => {
    server = new SMTPServer(options);
    // A client that hangs up in the middle is part of the tests.
    server.on('error', () => undefined);
    const listener = server.listen(port, '127.0.0.1');
    listener.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await once(listener, 'listening');
    return (listener.address() as AddressInfo).port; // listening on TCP
  };
  const port = await listen(await freePort());
  return {
    port,
    received,
    behaviour,
    certificate,
    connections: () => connections,
    async stop() {
      const closing = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => (closing ? closing.close(resolve) : resolve()));
    },
    async start() {
      await listen(port);
    },
  };
}

/** What mails to this server without encryption and login. */
export const mailerTo = ({ port }: TestSmtp): Mailer =>
  createMailer({ host: '127.0.0.1', port, user: null, password: null, from: 'no-reply@mail.example', security: 'none' });

function refusal({ code, text }: Refusal): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** Reads a mail as its receivers do. */
export function readMail(raw: string | Uint8Array): Promise<Email> {
  return PostalMime.parse(raw);
}
