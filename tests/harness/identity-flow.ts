import assert from 'node:assert/strict';
import { ApiError, type Client } from '@partner-portal/contract/client.ts';
import type { Routes } from '@partner-portal/contract/index.ts';
import { Secret, TOTP } from 'otpauth';
import type { TestOidc } from './oidc-provider.ts';
import { type System, until } from './system.ts';

type People = {
  admin: Client<Routes>;
  owner: Client<Routes>;
  /** A member who resets their password and enables a second step. */
  member: { email: string; newPassword: string };
};

/** A forgotten password, a second step with its mistakes, and a connection to an identity provider. */
export async function runIdentityFlow(system: System, { admin, owner, member }: People, provider: TestOidc): Promise<void> {
  const anonymous = system.client();
  const { email } = member;
  await anonymous.forgotPassword({ body: { email } });
  const token = await until('the link was mailed', async () => {
    const [mail] = (await admin.listMail({ query: { kind: 'password_reset' } })).data;
    const links = mail ? (await admin.getMail({ params: { id: mail.id } })).links : [];
    return links.map((link) => /#([\w-]{20,})/.exec(link)?.[1]).find((found) => found !== undefined);
  });
  await refused(anonymous.resetPassword({ body: { token, password: 'password1234' } }));
  await anonymous.resetPassword({ body: { token, password: member.newPassword } });
  await refused(anonymous.resetPassword({ body: { token, password: member.newPassword } }));
  await takeSecondStep(system, email, member.newPassword);
  await connect(admin, owner, provider);
}

async function takeSecondStep(system: System, email: string, password: string): Promise<void> {
  const anonymous = system.client();
  const person = system.client(await system.login(email, password));
  await person.setUpMfa();
  const { secret } = await person.setUpMfa();
  await refused(person.enableMfa({ body: { token: '000000' } }));
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const { recoveryCodes } = await person.enableMfa({ body: { token: totp.generate() } });
  const challenge = async (): Promise<string> => {
    const answer = await anonymous.login({ body: { email, password } });
    assert.ok('tempToken' in answer);
    return answer.tempToken;
  };
  const tempToken = await challenge();
  await refused(anonymous.verifyMfa({ body: { tempToken, token: '000000' } }));
  await anonymous.recoverMfa({ body: { tempToken, recoveryCode: recoveryCodes[0] ?? '' } });
  await refused(anonymous.recoverMfa({ body: { tempToken: await challenge(), recoveryCode: recoveryCodes[0] ?? '' } }));
  await refused(person.disableMfa({ body: { token: '000000' } }));
}

async function connect(admin: Client<Routes>, owner: Client<Routes>, { issuer, clientId, clientSecret }: TestOidc): Promise<void> {
  for (const { id, features } of await admin.listPlans())
    await admin.updatePlan({ params: { id }, body: { features: { ...features, sso: true } } });
  const values = { protocol: 'oidc' as const, issuer, clientId, emailDomains: ['acme.example'] };
  await owner.putSsoConnection({ body: { ...values, clientSecret } });
  await owner.putSsoConnection({ body: values });
  await owner.getSsoConnection();
  const { url } = await owner.testSsoConnection();
  await fetch(url, { redirect: 'manual' });
  await refused(owner.putSsoConnection({ body: { ...values, issuer: 'http://10.0.0.1', clientSecret } }));
}

async function refused(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, ApiError);
}
