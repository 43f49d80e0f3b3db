import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A user in the directory of the test provider. */
export type Person = { email: string; email_verified: boolean; name?: string };

/** A real OpenID Connect provider on loopback, in this process. Its login page is skipped: `signIn` chooses the user beforehand. */
export type TestOidc = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who the next login is. */
  signIn(person: Person): void;
  close(): Promise<void>;
};

/** `logoutUris`: where it may lead after a log-out; without one it offers none (`end_session_endpoint`). */
export async function startOidcProvider(redirectUris: readonly string[], logoutUris: readonly string[] = []): Promise<TestOidc> {
  let current: Person = { email: 'unknown@idp.test', email_verified: true };
  const people = new Map<string, Person>();
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const issuer = `http://127.0.0.1:${port}`;
  const clientId = 'portal';
  const clientSecret = 'a-client-secret-of-the-tests';
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        ...(logoutUris.length > 0 ? { post_logout_redirect_uris: [...logoutUris] } : {}),
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: logoutUris.length > 0, logoutSource } },
    cookies: { keys: ['a key of the tests'] },
    interactions: { url: (_context, interaction) => `/finish/${interaction.uid}` },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
  });
  const app = provider.callback();
  server.on('request', (request, response) => {
    // A browser asks for it when it has the time, and its console would name one that is missing.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end();
    if (!request.url?.startsWith('/finish/')) return void app(request, response);
    const id = current.email;
    people.set(id, current);
    void (async () => {
      const { params, prompt } = await provider.interactionDetails(request, response);
      if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: id } });
      const grant = new provider.Grant({ accountId: id, clientId: String(params['client_id']) });
      grant.addOIDCScope('openid email profile');
      return provider.interactionFinished(
        request,
        response,
        { consent: { grantId: await grant.save() } },
        { mergeWithLastSubmission: true },
      );
    })();
  });
  return {
    issuer,
    clientId,
    clientSecret,
    signIn: (person) => void (current = person),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Its page that asks before a log-out; the library's own loads a font from elsewhere. */
function logoutSource(context: { body: unknown }, form: string): void {
  context.body = `<!doctype html><html lang="en"><title>Provider</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></html>`;
}
