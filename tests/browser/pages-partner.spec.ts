import { agent, at, business, conversation, testViews } from './pages.ts';
import type { Api } from './portal.ts';

const run = async (api: Api): Promise<string> => (await api.owner.listExecutions({ query: { limit: 1 } })).data[0]?.id ?? '';

testViews('owner', [
  at('/dashboard'),
  at('/dashboard/clients'),
  at('/dashboard/clients/import'),
  { name: 'a client', path: async (api) => `/dashboard/clients/${await business(api)}` },
  at('/dashboard/agents'),
  { name: 'an agent', path: async (api) => `/dashboard/agents/${await agent(api)}` },
  at('/dashboard/first-steps'),
  at('/dashboard/requests'),
  at('/dashboard/inbox'),
  { name: 'a conversation', path: async (api, system) => `/dashboard/inbox/${await conversation(api, system)}` },
  at('/dashboard/alerts'),
  at('/dashboard/alerts?state=resolved'),
  { name: 'the stop list of a client', path: async (api) => `/dashboard/clients/${await business(api)}?tab=stop-list` },
  { name: 'the report of a client', path: async (api) => `/dashboard/clients/${await business(api)}?tab=report` },
  { name: 'the settings of a client', path: async (api) => `/dashboard/clients/${await business(api)}?tab=settings` },
  at('/dashboard/settings/account'),
  at('/dashboard/settings/profile'),
  at('/dashboard/settings/notifications'),
  at('/dashboard/billing'),
  at('/dashboard/billing/plan'),
  at('/dashboard/runs'),
  { name: 'a run', path: async (api) => `/dashboard/runs/${await run(api)}` },
]);
