/**
 * The key of every query in the portal. Keys form a hierarchy: refreshing `agents.all` refreshes every query under it.
 * `refresh.ts` declares which keys each change makes stale.
 */
export const keys = {
  me: ['me'],
  invitation: (token: string) => ['invitation', token],
  serviceReadiness: ['readiness'],
  eventCatalogue: ['event-catalogue'],
  palette: (area: string, text: string) => ['palette', area, text],

  // The agency
  ownPartner: ['partner', 'me'],
  quota: ['quota'],
  summary: { all: ['summary'], of: (clientId: string | undefined) => ['summary', clientId ?? 'all'] },
  setup: ['setup'],
  team: ['team'],
  invitations: { all: ['invitations'], of: (scope: object) => ['invitations', scope] },
  sso: ['sso', 'connection'],
  alertRules: ['alert-rules'],
  usage: (groupBy: string, from: string | undefined, clientId: string | undefined) => ['usage', groupBy, from, clientId],
  ledgers: ['ledger'],
  ledger: (filters: object) => ['ledger', filters],
  clients: {
    list: ['clients', 'list'],
    page: (filters: object) => ['clients', 'list', filters],
    switcher: ['clients', 'switcher'],
    one: (id: string) => ['clients', 'one', id],
    users: (id: string) => ['clients', 'users', id],
  },
  agents: {
    all: ['agents'],
    list: ['agents', 'list'],
    page: (filters: object) => ['agents', 'list', filters],
    names: (clientId: string | undefined) => ['agents', 'names', clientId ?? 'all'],
    ofPartner: (partnerId: string) => ['agents', 'of-partner', partnerId],
    one: (id: string) => ['agents', 'one', id],
    workflow: (id: string) => ['agents', 'workflow', id],
    schedule: (id: string) => ['agents', 'schedule', id],
    inbound: (id: string, outcome: string | undefined) => ['agents', 'inbound', id, outcome ?? 'all'],
    preview: (id: string, config: object) => ['agents', 'preview', id, config],
    stats: (id: string) => ['agents', 'stats', id],
  },
  runs: {
    all: ['runs'],
    list: ['runs', 'list'],
    page: (filters: object) => ['runs', 'list', filters],
    reruns: ['runs', 'reruns'],
    causes: ['runs', 'causes'],
    causesOf: (filters: object) => ['runs', 'causes', filters],
    one: (id: string) => ['runs', 'one', id],
    ofScope: ['runs', 'of'],
    of: (scope: object) => ['runs', 'of', scope],
  },
  catalog: { all: ['catalog'], of: (clientId: string | undefined) => ['catalog', clientId ?? 'agency'] },
  credentials: {
    all: ['credentials'],
    list: (clientId: string | undefined) => ['credentials', 'list', clientId ?? 'all'],
    requirements: (clientId: string | undefined) => ['credentials', 'requirements', clientId ?? 'all'],
    readiness: (clientId: string) => ['credentials', 'readiness', clientId],
  },
  agentRequests: {
    all: ['agent-requests'],
    of: (clientId: string | undefined) => ['agent-requests', clientId ?? 'all'],
    one: (id: string) => ['agent-requests', 'one', id],
  },
  webhooks: {
    endpoints: ['webhooks', 'endpoints'],
    deliveries: (endpointId: string) => ['webhooks', 'deliveries', endpointId],
    recoveries: (endpointId: string) => ['webhooks', 'recoveries', endpointId],
    staff: (show: string, partnerId: string) => ['webhooks', 'staff', show, partnerId],
  },

  // Agency and staff
  alerts: { all: ['alerts'], of: (search: object, clientId: string | undefined) => ['alerts', search, clientId ?? 'all'] },
  audit: {
    list: (filters: object) => ['audit', 'list', filters],
    one: (id: string, partnerId: string | undefined) => ['audit', 'one', id, partnerId ?? ''],
  },
  notifications: {
    unread: ['notifications', 'unread'],
    bell: ['notifications', 'bell'],
    preferences: ['notifications', 'preferences'],
  },
  plans: { all: ['plans'], public: ['plans', 'public'], staff: ['plans', 'all'] },
  billing: {
    /** Everything that an order, a change of terms or a payment changes. */
    all: ['billing'],
    of: (partnerId: string | undefined) => ['billing', 'of', partnerId ?? 'own'],
    planChange: (partnerId: string | undefined, change: object) => ['billing', 'plan-change', partnerId ?? 'own', change],
    invoices: (filters: object) => ['billing', 'invoices', filters],
    invoice: (id: string) => ['billing', 'invoice', id],
    orders: (filters: object) => ['billing', 'orders', filters],
    ledger: (filters: object) => ['billing', 'ledger', filters],
    revenue: ['billing', 'revenue'],
    usage: (query: object) => ['billing', 'usage', query],
    agencies: ['billing', 'agencies'],
  },
  planRequests: { all: ['plan-requests'], last: ['plan-requests', 'last'], one: (id: string) => ['plan-requests', 'one', id] },

  // Staff
  workQueue: ['work-queue'],
  engine: ['engine'],
  system: ['system'],
  mail: { all: ['mail'], list: (filters: object) => ['mail', filters], one: (id: string) => ['mail', 'one', id] },
  outbox: (provider: string | undefined, text: string | undefined) => ['outbox', provider ?? 'all', text ?? ''],
  templates: ['templates'],
  rollouts: { of: (templateName: string) => ['rollouts', templateName], partners: ['rollouts', 'agencies'] },
  users: { all: ['users'], list: (filters: object) => ['users', filters] },
  partners: {
    all: ['partners'],
    list: (filters: object) => ['partners', 'list', filters],
    one: (id: string) => ['partners', 'one', id],
    asking: (id: string | null) => ['partners', 'asking', id],
    clients: (id: string) => ['partners', 'clients', id],
    clientPages: (id: string, text: string | undefined) => ['partners', 'client-pages', id, text ?? ''],
    allUsers: ['partners', 'users'],
    users: (id: string) => ['partners', 'users', id],
    client: (clientId: string) => ['partners', 'client', clientId],
    clientAgents: (clientId: string) => ['partners', 'client-agents', clientId],
    clientPeople: (clientId: string) => ['partners', 'client-people', clientId],
  },
  automation: {
    /** What a running provisioning attempt changes. */
    live: (partnerId: string) => ['automation', partnerId, 'live'],
    instance: (partnerId: string) => ['automation', partnerId, 'live', 'instance'],
    attempts: (partnerId: string) => ['automation', partnerId, 'live', 'attempts'],
    steps: (partnerId: string, attemptId: string | undefined) => ['automation', partnerId, 'live', 'steps', attemptId ?? 'latest'],
    preflight: (partnerId: string, clientId: string | undefined, templateNames: readonly string[]) => [
      'automation',
      partnerId,
      'preflight',
      clientId ?? 'all',
      templateNames,
    ],
    clients: (partnerId: string) => ['automation', partnerId, 'clients'],
  },

  // The client
  client: {
    /** What an execution changes. */
    live: ['client', 'live'],
    summary: ['client', 'live', 'summary'],
    agents: ['client', 'live', 'agents'],
    allAgents: ['client', 'live', 'agent'],
    agent: (id: string) => ['client', 'live', 'agent', id],
    agentRuns: (id: string) => ['client', 'live', 'agent-runs', id],
    activity: (search: object) => ['client', 'live', 'activity', search],
    credentials: ['client', 'live', 'keys'],
    requirements: ['client', 'live', 'needs'],
    steps: (id: string) => ['client', 'steps', id],
    business: ['client', 'business'],
  },
} as const;
