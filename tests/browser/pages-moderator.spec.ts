import { at, testViews } from './pages.ts';
import type { Api } from './portal.ts';

const delivery = async (api: Api): Promise<string> => {
  const endpoint = (await api.owner.listWebhooks()).at(-1)?.id ?? '';
  const [newest] = await api.owner.listDeliveries({ params: { id: endpoint } });
  return `endpoint=${endpoint}&delivery=${newest?.id}`;
};

testViews('moderator', [
  at('/dashboard/catalog'),
  at('/dashboard/integrations'),
  at('/dashboard/setup'),
  at('/dashboard/usage'),
  at('/dashboard/billing/invoices'),
  at('/dashboard/billing/details'),
  at('/dashboard/settings'),
  at('/dashboard/settings/alerts'),
  at('/dashboard/settings/team'),
  at('/dashboard/settings/team?view=invitations'),
  at('/dashboard/settings/sso'),
  at('/dashboard/settings/domain'),
  at('/dashboard/settings/account'),
  at('/dashboard/settings/webhooks'),
  { name: 'the log of a webhook', path: async (api) => `/dashboard/settings/webhooks?${await delivery(api)}` },
  at('/dashboard/developer'),
  at('/dashboard/developer?tab=events&event=usage.threshold_crossed'),
  at('/dashboard/developer?tab=verify'),
  at('/dashboard/settings/audit'),
  {
    name: 'a change in the audit log',
    path: async (api) =>
      `/dashboard/settings/audit?entry=${(await api.owner.listAuditLog({ query: { action: 'partner.changed' } })).data[0]?.id}`,
  },
]);
