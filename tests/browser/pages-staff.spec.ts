import { at, business, testViews } from './pages.ts';
import type { Api } from './portal.ts';

const partner = async (api: Api): Promise<string> =>
  `/admin/partners/${(await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0]?.id}`;
const invoice = async (api: Api): Promise<string> => (await api.staff.listInvoices()).data[0]?.id ?? '';
/** A pending application, sent through the public form. */
const application = async (api: Api): Promise<string> => {
  await api.staff.registerTrial({
    body: { email: 'una@waits.example', fullName: 'Una Wait', companyName: 'Waits & Co.', message: 'Soon, please.', acceptTerms: true },
  });
  const { data } = await api.staff.listPlanRequests({ query: { status: 'pending' } });
  return data[0]?.id ?? '';
};
/** The work queue, with a request for an agent of a client of its own. */
const agentRequest = async (api: Api): Promise<string> => {
  const { id: clientId } = await api.owner.createClient({ body: { name: 'Quilts & Queues', timezone: 'UTC' } });
  const made = await api.owner.createAgentRequest({ body: { clientId, templateName: 'lead-intake-cleaner' } });
  return `/admin?item=agent_request.${Array.isArray(made) ? made[0]?.id : made.id}`;
};

testViews('staff', [
  { name: 'an agent request in the work queue', path: agentRequest },
  at('/admin'),
  at('/admin/overview'),
  {
    name: 'an application in the work queue',
    path: async (api) => `/admin?item=application.${await application(api)}`,
    heading: 'Waits & Co.',
  },
  at('/admin/ai-rates'),
  at('/admin/ai-rates?rate=new'),
  at('/admin/invoices'),
  at('/admin/invoices?show=all'),
  { name: 'an invoice', path: async (api) => `/admin/invoices?invoice=${await invoice(api)}` },
  at('/admin/usage'),
  { name: 'the billing of a partner', path: async (api) => `${await partner(api)}/billing` },
  { name: 'the terms of a partner', path: async (api) => `${await partner(api)}/billing?edit=terms` },
  at('/admin/plans'),
  at('/admin/plans?plan=new'),
  at('/admin/partners'),
  { name: 'a partner', path: partner },
  { name: 'the clients of a partner', path: async (api) => `${await partner(api)}/clients?client=${await business(api)}` },
  { name: 'the audit log of a partner', path: async (api) => `${await partner(api)}/audit` },
  { name: 'the account of a partner', path: async (api) => `${await partner(api)}/account` },
  at('/admin/account-requests'),
  at('/admin/account-requests?show=reactivation'),
  at('/admin/audit-log'),
  at('/admin/system'),
  { name: 'a mail of the outbox', path: async (api) => `/admin/system?mail=${(await api.staff.listMail()).data[0]?.id}` },
  { name: 'an entry of the audit log', path: async (api) => `/admin/audit-log?entry=${(await api.staff.listAuditLog()).data[0]?.id}` },
  { name: 'the automation of a partner', path: async (api) => `${await partner(api)}/automation` },
  at('/admin/requests'),
  at('/admin/alerts'),
  at('/admin/users'),
  at('/admin/newsletter'),
  at('/admin/templates'),
  at('/admin/templates?template=missed-call-text-back'),
  at('/admin/engine'),
  at('/admin/deliveries'),
  at('/admin/deliveries?show=all'),
  at('/admin/outbox'),
]);
