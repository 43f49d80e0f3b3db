import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { planRequests } from '#modules/2-tenancy/plan-requests/index.ts';
import { startTestService, type TestCall, type TestService } from '@partner-portal/tests/harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [clients(platform), invitations(platform), partners(platform), planRequests(platform)],
  });
});
after(() => service.close());

const LURE = 'locked, sign in at https://evil.example/login';
const applicant = { email: 'applicant@elsewhere.test', fullName: 'Ann Lee', companyName: 'Acme', acceptTerms: true };

type Case = {
  what: string;
  method: 'POST' | 'PATCH';
  path: () => string;
  as?: TestCall['as'];
  body: () => Record<string, unknown>;
  field: string;
  status: number;
  good: string;
};
const cases: Case[] = [
  {
    what: 'an invited person',
    method: 'POST',
    path: () => '/invitations',
    as: 'owner',
    body: () => ({ kind: 'team', email: 'a@elsewhere.test' }),
    field: 'fullName',
    status: 201,
    good: 'J. R. R. Tolkien',
  },
  {
    what: 'the own name',
    method: 'PATCH',
    path: () => '/auth/me',
    as: 'owner',
    body: () => ({}),
    field: 'fullName',
    status: 200,
    good: 'Dr. Ann Lee',
  },
  {
    what: 'the own agency',
    method: 'PATCH',
    path: () => '/partners/me',
    as: 'owner',
    body: () => ({}),
    field: 'name',
    status: 200,
    good: 'Booking.com Repairs',
  },
  {
    what: 'an agency, by staff',
    method: 'PATCH',
    path: () => `/partners/${service.world.rivalPartnerId}`,
    as: 'staff',
    body: () => ({}),
    field: 'name',
    status: 200,
    good: 'Node.js Experts',
  },
  {
    what: 'a new client',
    method: 'POST',
    path: () => '/clients',
    as: 'owner',
    body: () => ({}),
    field: 'name',
    status: 201,
    good: 'Smile.Dental',
  },
  {
    what: 'the contact who is invited with a new client',
    method: 'POST',
    path: () => '/clients',
    as: 'owner',
    body: () => ({ name: 'Elm', inviteEmail: 'elm@elsewhere.test' }),
    field: 'contactName',
    status: 201,
    good: 'Jo Park',
  },
  {
    what: 'a client',
    method: 'PATCH',
    path: () => `/clients/${service.world.clientId}`,
    as: 'owner',
    body: () => ({}),
    field: 'name',
    status: 200,
    good: 'Oak Street Dental & Co.',
  },
  {
    what: 'a new agency',
    method: 'POST',
    path: () => '/partners',
    as: 'staff',
    body: () => ({ slug: 'new-agency', ownerEmail: 'o@elsewhere.test', ownerName: 'Ann', planId: service.world.planId }),
    field: 'name',
    status: 201,
    good: 'New.Agency',
  },
  {
    what: 'the owner of a new agency',
    method: 'POST',
    path: () => '/partners',
    as: 'staff',
    body: () => ({ name: 'Second', slug: 'second-agency', ownerEmail: 'p@elsewhere.test', planId: service.world.planId }),
    field: 'ownerName',
    status: 201,
    good: 'Ann Lee',
  },
  {
    what: 'an applicant',
    method: 'POST',
    path: () => '/auth/register',
    body: () => applicant,
    field: 'fullName',
    status: 202,
    good: 'Ann Lee',
  },
  {
    what: 'the company of an applicant',
    method: 'POST',
    path: () => '/auth/register-trial',
    body: () => applicant,
    field: 'companyName',
    status: 202,
    good: 'Acme.io',
  },
];

describe('a name with an address or an encoded word in it', () => {
  for (const { what, method, path, as, body, field, status, good } of cases) {
    it(`is refused on its field for ${what}; an ordinary one is accepted`, async () => {
      const refused = await service.call(method, path(), { as, body: { ...body(), [field]: LURE } });
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.errors?.[0]?.field, refused.body.errors?.[0]?.code],
        [422, 'validation_failed', field, 'has_address'],
      );
      const encoded = await service.call(method, path(), { as, body: { ...body(), [field]: '=?UTF-8?Q?Bank_=3Ca=40bank.example=3E?=' } });
      assert.deepEqual([encoded.status, encoded.body.errors?.[0]?.field, encoded.body.errors?.[0]?.code], [422, field, 'has_encoded_word']);
      const accepted = await service.call(method, path(), { as, body: { ...body(), [field]: good } });
      assert.equal(accepted.status, status, accepted.text);
    });
  }

  it('is refused when an invitation is accepted, and the link stays valid', async () => {
    const { acceptUrl } = (
      await service.call('POST', '/invitations', { as: 'rivalOwner', body: { kind: 'team', email: 'joins@elsewhere.test' } })
    ).body;
    const token = acceptUrl.slice(acceptUrl.lastIndexOf('/') + 1);
    const accept = (fullName: string) =>
      service.call('POST', '/invitations/accept', { body: { token, password: 'nine quiet herons', fullName } });
    const refused = await accept(LURE);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [422, 'fullName']);
    assert.equal((await accept('Jo Park')).status, 201);
  });
});
