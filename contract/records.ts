import { z } from 'zod';
import { id, jsonObject, optionalLink, time, timezone } from './primitives.ts';
import {
  AGENT_HEALTH,
  AGENT_REQUEST_KINDS,
  AGENT_REQUEST_ORIGINS,
  AGENT_REQUEST_STATUSES,
  ATTEMPT_MODES,
  ATTEMPT_STATUSES,
  AUTH_METHODS,
  CLIENT_STATUSES,
  DRIFT_STATES,
  EMAIL_STATUSES,
  EXECUTION_SOURCES,
  EXECUTION_STATUSES,
  INBOUND_OUTCOMES,
  INSTANCE_STATUSES,
  INVITATION_KINDS,
  INVITATION_STATUSES,
  PARTNER_ROLES,
  PARTNER_STATUSES,
  PLAN_REQUEST_KINDS,
  PLAN_REQUEST_STATUSES,
  PLANNED_KINDS,
  PLANNED_STATUSES,
  PROVIDERS,
  READINESS_STATES,
  ROLES,
  ROLLOUT_PARTNER_STATUSES,
  ROLLOUT_STATUSES,
  SCHEDULE_KINDS,
  SCHEDULE_OUTCOMES,
  SCHEDULE_UNITS,
  SOURCE_MODES,
  SSO_PROBLEMS,
  SSO_PROTOCOLS,
  STAGE_KEYS,
  STEP_STATUSES,
  TENANCY_MODES,
  THEMES,
  USAGE_KINDS,
  USER_STATUSES,
} from './vocabulary.ts';

/** The API's records. Responses are parsed with these schemas, so members that are not declared here are never sent. */

export const userRecord = z
  .object({
    id,
    email: z.string(),
    fullName: z.string(),
    role: z.enum(ROLES),
    partnerId: id,
    partnerRole: z.enum(PARTNER_ROLES).nullable(),
    clientId: id.nullable(),
    status: z.enum(USER_STATUSES),
    mfaEnabled: z.boolean(),
    avatarUrl: z.string().nullable(),
    locale: z.string(),
    timezone: z.string(),
    theme: z.enum(THEMES),
    lastLoginAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'User' });

/** A member of a partner's team. `authMethod`: of the last sign-in; null before the first. */
export const teamMember = z
  .object({
    id,
    email: z.string(),
    fullName: z.string(),
    partnerRole: z.enum(PARTNER_ROLES),
    status: z.enum(USER_STATUSES),
    mfaEnabled: z.boolean(),
    lastLoginAt: time.nullable(),
    authMethod: z.enum(AUTH_METHODS).nullable(),
    createdAt: time,
  })
  .meta({ id: 'TeamMember' });
/** `used`: members and pending team invitations, one seat each. */
export const seatCounts = z.object({
  included: z.number().int(),
  purchased: z.number().int(),
  total: z.number().int(),
  used: z.number().int(),
  pendingInvites: z.number().int(),
});

export const sessionPartner = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  logoUrl: z.string().nullable(),
  brandColor: z.string().nullable(),
  status: z.enum(PARTNER_STATUSES),
  timezone: z.string(),
});
export const features = z.object({
  sso: z.boolean(),
  chatbot: z.boolean(),
  customTemplates: z.boolean(),
  aiPlatformKeys: z.boolean(),
  auditRetentionDays: z.number().int(),
});
export const sessionUser = userRecord
  .extend({
    partner: sessionPartner,
    client: z.object({ id, name: z.string() }).nullable(),
    features,
    authMethod: z.enum(AUTH_METHODS).optional(),
    /** Only for a view-as session: who is viewing, why, and until when. */
    viewAs: z.object({ name: z.string(), reason: z.string(), expiresAt: time }).optional(),
  })
  .meta({ id: 'SessionUser' });
/** Result of a successful sign-in. */
export const session = z.object({ accessToken: z.string(), expiresAt: time, user: sessionUser });

export const partnerRecord = z
  .object({
    id,
    name: z.string(),
    slug: z.string(),
    status: z.enum(PARTNER_STATUSES),
    automationProvider: z.string().nullable(),
    logoUrl: z.string().nullable(),
    brandColor: z.string().nullable(),
    supportEmail: z.string().nullable(),
    website: z.string().nullable(),
    timezone: z.string(),
    planId: id.nullable(),
    trialEndsAt: time.nullable(),
    suspendedAt: time.nullable(),
    suspensionReason: z.string().nullable(),
    counts: z.object({ clients: z.number().int(), agents: z.number().int(), seatsUsed: z.number().int() }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Partner' });
/** A partner in the staff list, with the state of its automation. */
export const partnerRow = partnerRecord
  .extend({
    planName: z.string().nullable(),
    automationStatus: z.enum(INSTANCE_STATUSES),
    runs7d: z.number().int(),
    failures7d: z.number().int(),
    usagePercent: z.number(),
    internalNotes: z.string().nullable(),
    /** Whether its team must use single sign-on; staff can lift that. */
    ssoEnforced: z.boolean(),
  })
  .meta({ id: 'PartnerRow' });

export const businessProfile = z.object({
  hours: z.string().max(500).default(''),
  bookingUrl: z.string().max(2048).default(''),
  reviewUrl: z.string().max(2048).default(''),
  address: z.string().max(500).default(''),
  faqText: z.string().max(8000).default(''),
});
/** A partial update; omitted members are unchanged. */
export const businessProfileChange = z.object({
  hours: z.string().trim().max(500).optional(),
  bookingUrl: optionalLink.optional(),
  reviewUrl: optionalLink.optional(),
  address: z.string().trim().max(500).optional(),
  faqText: z.string().trim().max(8000).optional(),
});
export const clientRecord = z
  .object({
    id,
    partnerId: id,
    name: z.string(),
    status: z.enum(CLIENT_STATUSES),
    contactName: z.string().nullable(),
    contactEmail: z.string().nullable(),
    phone: z.string().nullable(),
    website: z.string().nullable(),
    timezone: z.string(),
    industry: z.string().nullable(),
    externalRef: z.string().nullable(),
    notes: z.string().nullable().optional(),
    businessProfile,
    counts: z.object({ agents: z.number().int(), runs30d: z.number().int(), failures30d: z.number().int() }),
    health: z.enum(AGENT_HEALTH),
    lastActivityAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Client' });

/** A partner's connection to its identity provider; null members belong to the other protocol. The secret is never included. */
export const ssoConnection = z
  .object({
    /** The partner's id, since there is one per partner; null until one is saved. */
    id: id.nullable(),
    configured: z.boolean(),
    /** Whether the plan includes single sign-on. */
    available: z.boolean(),
    protocol: z.enum(SSO_PROTOCOLS).nullable(),
    status: z.enum(['draft', 'verified']).nullable(),
    enforced: z.boolean(),
    emailDomains: z.array(z.string()),
    issuer: z.string().nullable(),
    clientId: z.string().nullable(),
    metadataUrl: z.string().nullable(),
    metadataProblem: z.string().nullable(),
    verifiedAt: time.nullable(),
    lastLoginAt: time.nullable(),
    certificateExpiresAt: time.nullable(),
    /** Whether the caller signed in through this connection, which enforcing it requires. */
    callerSignedIn: z.boolean(),
    lastTest: z
      .object({
        at: time,
        ok: z.boolean(),
        problem: z.enum(SSO_PROBLEMS).nullable(),
        detail: z.string().nullable(),
        claims: z.record(z.string(), z.string()),
      })
      .nullable(),
    /** To be entered at the provider. */
    loginUrl: z.string(),
    acsUrl: z.string(),
    entityId: z.string(),
    callbackUrl: z.string(),
    updatedAt: time.nullable(),
  })
  .meta({ id: 'SsoConnection' });

export const planRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    monthlyPriceMinor: z.number().int(),
    currency: z.string(),
    includedSeats: z.number().int(),
    includedClients: z.number().int(),
    monthlyCredits: z.number().int(),
    seatPriceMinor: z.number().int(),
    creditPacks: z.array(z.object({ id: z.string(), credits: z.number().int(), priceMinor: z.number().int() })),
    features,
    isPublic: z.boolean(),
    isTrial: z.boolean(),
    trialDays: z.number().int().nullable(),
    isActive: z.boolean(),
  })
  .meta({ id: 'Plan' });

/** A partner's exceptions from its plan. */
export const planOverrides = z
  .object({
    includedSeats: z.number().int().min(1).max(1_000_000),
    includedClients: z.number().int().min(0).max(1_000_000),
    monthlyCredits: z.number().int().min(0).max(1_000_000_000),
    features: features.partial(),
  })
  .partial();

/** An application (no partner yet) or a partner's request for other terms. */
export const planRequestRecord = z
  .object({
    id,
    kind: z.enum(PLAN_REQUEST_KINDS),
    status: z.enum(PLAN_REQUEST_STATUSES),
    applicant: z.object({
      email: z.string(),
      fullName: z.string(),
      companyName: z.string(),
      website: z.string().nullable(),
      country: z.string().nullable(),
    }),
    partnerId: id.nullable(),
    planId: id.nullable(),
    planName: z.string().nullable(),
    desired: z.object({
      seats: z.number().int().optional(),
      clients: z.number().int().optional(),
      credits: z.number().int().optional(),
      features: z.array(z.string()).optional(),
      message: z.string().optional(),
      newsletter: z.boolean().optional(),
    }),
    decidedBy: id.nullable(),
    decisionNote: z.string().nullable(),
    resultPartnerId: id.nullable(),
    createdAt: time,
    decidedAt: time.nullable(),
  })
  .meta({ id: 'PlanRequest' });

export const invitationRecord = z
  .object({
    id,
    kind: z.enum(INVITATION_KINDS),
    email: z.string(),
    fullName: z.string().nullable(),
    partnerId: id,
    clientId: id.nullable(),
    partnerRole: z.enum(PARTNER_ROLES).nullable(),
    status: z.enum(INVITATION_STATUSES),
    invitedBy: id.nullable(),
    sentAt: time,
    expiresAt: time,
    acceptedAt: time.nullable(),
    revokedAt: time.nullable(),
    resendCount: z.number().int(),
    /** Null while the mail is queued; `sent` once the mail server has accepted it. */
    emailStatus: z.enum(EMAIL_STATUSES).nullable(),
  })
  .meta({ id: 'Invitation' });
/** `acceptUrl` is returned only on create and resend. */
export const invitationWithLink = invitationRecord.extend({ acceptUrl: z.string() }).meta({ id: 'InvitationWithLink' });

export const templateInput = z.object({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  required: z.boolean(),
  aliases: z.array(z.string()),
  example: z.json(),
});
export const templateConfig = z.object({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  default: z.json(),
  maxLength: z.number().int().nullable(),
  help: z.string().nullable(),
});
export const templateStep = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.string(),
  provider: z.enum(PROVIDERS).nullable(),
  reads: z.array(z.string()),
});
export const templateRecord = z
  .object({
    name: z.string(),
    templateVersion: z.number().int(),
    title: z.string(),
    summary: z.string(),
    clientSummary: z.string(),
    category: z.string(),
    icon: z.string(),
    inputs: z.array(templateInput),
    config: z.array(templateConfig),
    requiredConnections: z.array(z.enum(PROVIDERS)),
    steps: z.array(templateStep),
    creditsPerRun: z.number().int(),
    timeoutMinutes: z.number().int(),
    hoursSavedPerRun: z.number(),
    sampleConversation: z.array(z.object({ from: z.string(), text: z.string() })),
    changelog: z.array(z.object({ version: z.number().int(), text: z.string() })),
    isActive: z.boolean(),
    sampleInput: jsonObject,
  })
  .meta({ id: 'Template' });
/** A template in the catalogue, with its readiness for one client. */
export const catalogEntry = templateRecord
  .extend({
    ready: z.boolean(),
    missingConnections: z.array(z.enum(PROVIDERS)),
    installed: z.boolean(),
  })
  .meta({ id: 'CatalogEntry' });

export const agentRecord = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    clientName: z.string().nullable(),
    name: z.string(),
    description: z.string(),
    templateName: z.string(),
    templateVersion: z.number().int().nullable(),
    latestTemplateVersion: z.number().int(),
    isActive: z.boolean(),
    health: z.enum(AGENT_HEALTH),
    config: jsonObject,
    configSchema: z.array(templateConfig),
    missingConnections: z.array(z.enum(PROVIDERS)),
    /** Keys of required settings that are empty; described in `configSchema`. */
    missingSettings: z.array(z.string()),
    lastRunAt: time.nullable(),
    runs30d: z.number().int(),
    failures30d: z.number().int(),
    creditsPerRun: z.number().int(),
    clientCanPause: z.boolean(),
    category: z.string(),
    icon: z.string(),
    installed: z.boolean(),
    /** Planned runs: how many are waiting, and when the next is due. */
    planned: z.object({ waiting: z.number().int(), nextAt: time.nullable() }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Agent' });

/** One status change of a request. Partners see staff without name and id. */
export const agentRequestEntry = z.object({
  at: time,
  actor: z.object({ type: z.enum(['user', 'staff', 'system']), id: id.nullable(), name: z.string().nullable() }),
  from: z.enum(AGENT_REQUEST_STATUSES).nullable(),
  to: z.enum(AGENT_REQUEST_STATUSES),
  note: z.string().nullable(),
});
export const agentRequestRecord = z
  .object({
    id,
    partnerId: id,
    partnerName: z.string(),
    clientId: id,
    clientName: z.string(),
    kind: z.enum(AGENT_REQUEST_KINDS),
    templateName: z.string().nullable(),
    title: z.string(),
    description: z.string(),
    icon: z.string(),
    config: jsonObject,
    status: z.enum(AGENT_REQUEST_STATUSES),
    origin: z.enum(AGENT_REQUEST_ORIGINS),
    requestedBy: id.nullable(),
    requestedByName: z.string().nullable(),
    reviewedBy: id.nullable(),
    decisionNote: z.string().nullable(),
    workflowId: id.nullable(),
    lastAttemptId: id.nullable(),
    /** Why the last installation failed; safe to show. */
    failureMessage: z.string().nullable(),
    /** Approved, and starts automatically when another setup of the partner has ended. */
    waiting: z.boolean(),
    missingConnections: z.array(z.enum(PROVIDERS)),
    timeline: z.array(agentRequestEntry),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'AgentRequest' });

/** The technical view of an agent. `providerFlowId` is returned to staff only. */
export const workflowDefinition = z.object({
  trigger: z.object({ label: z.string(), keys: z.array(z.string()) }),
  steps: z.array(templateStep),
});
export const workflowRecord = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    name: z.string(),
    templateName: z.string(),
    templateVersion: z.number().int().nullable(),
    latestTemplateVersion: z.number().int(),
    isActive: z.boolean(),
    installed: z.boolean(),
    providerFlowId: z.string().nullable().optional(),
    inputs: z.array(templateInput).optional(),
    definition: workflowDefinition,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Workflow' });

export const executionError = z.object({ code: z.string(), message: z.string(), stepName: z.string().nullable() });
export const executionStep = z.object({
  name: z.string(),
  label: z.string(),
  status: z.enum(STEP_STATUSES),
  startedAt: time.nullable(),
  durationMs: z.number().nullable(),
  input: z.json().optional(),
  output: z.json().optional(),
  error: z.string().nullable(),
});
export const executionRow = z
  .object({
    id,
    workflowId: id,
    agentName: z.string(),
    partnerId: id,
    clientId: id.nullable(),
    clientName: z.string().nullable(),
    status: z.enum(EXECUTION_STATUSES),
    source: z.enum(EXECUTION_SOURCES),
    summary: z.string(),
    startedAt: time,
    finishedAt: time.nullable(),
    durationMs: z.number().int().nullable(),
    error: executionError.nullable(),
    creditsCharged: z.number().int(),
    rerunOf: id.nullable(),
    late: z.boolean(),
    templateVersion: z.number().int(),
    /** True while the engine has not accepted the run in time: shown as "engine delayed". */
    delayed: z.boolean(),
  })
  .meta({ id: 'Execution' });
export const executionDetail = executionRow
  .extend({
    input: jsonObject.nullable(),
    output: z.json().nullable(),
    steps: z.array(executionStep),
    payloadExpired: z.boolean(),
    templateName: z.string(),
    previousId: id.nullable(),
    nextId: id.nullable(),
  })
  .meta({ id: 'ExecutionDetail' });

/** 1 is Monday, 7 is Sunday. */
const weekdays = z.array(z.number().int().min(1).max(7)).max(7);
const scheduleRule = z.object({ every: z.enum(SCHEDULE_UNITS), at: z.string(), weekdays: z.array(z.number().int()), timezone: z.string() });
/** `at` is local time as HH:MM; an hourly schedule uses only the minutes. No weekdays: every day. */
export const scheduleInput = z.object({
  every: z.enum(SCHEDULE_UNITS),
  at: z
    .string()
    .trim()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time of day such as 07:30.'),
  weekdays: weekdays.optional(),
  timezone,
  enabled: z.boolean(),
});
/** A planned run, waiting or done: a reminder of a visit, a nudge about a quote. */
const plannedRun = z.object({
  id,
  kind: z.enum(PLANNED_KINDS),
  /** Name of the contact. */
  label: z.string(),
  dueAt: time,
  status: z.enum(PLANNED_STATUSES),
  reason: z.string().nullable(),
  executionId: id.nullable(),
});
export const scheduleRecord = z
  .object({
    workflowId: id,
    schedule: scheduleRule.extend({ enabled: z.boolean() }).nullable(),
    nextRunAt: time.nullable(),
    /** The last due time: a run, or the reason why there was none (a refusal code, as for events). */
    last: z
      .object({
        dueAt: time,
        outcome: z.enum(SCHEDULE_OUTCOMES),
        reason: z.string().nullable(),
        executionId: id.nullable(),
        /** Bookings: how many reminders were planned after that check. */
        found: z.number().int().nullable(),
      })
      .nullable(),
    /** The template's suggestion, in the client's time zone. */
    suggested: scheduleRule.nullable(),
    /** What a schedule does for this agent. */
    kind: z.enum(SCHEDULE_KINDS),
    /** Planned runs: the next 50, and the last ten with their outcome. */
    planned: z.object({ waiting: z.array(plannedRun), waitingTotal: z.number().int(), recent: z.array(plannedRun) }),
    /** Required inputs that a schedule cannot supply; if not empty, the agent cannot have a schedule. */
    missingInputs: z.array(z.object({ key: z.string(), label: z.string() })),
    updatedAt: time.nullable(),
  })
  .meta({ id: 'Schedule' });

export const inboundEventRecord = z
  .object({
    id,
    workflowId: id,
    receivedAt: time,
    outcome: z.enum(INBOUND_OUTCOMES),
    reason: z.string().nullable(),
    status: z.number().int(),
    senderAddress: z.string().nullable(),
    bodyPreview: z.string().nullable(),
    executionId: id.nullable(),
  })
  .meta({ id: 'InboundEvent' });

export const credentialCheck = z.object({ ok: z.boolean(), at: time, message: z.string() });
export const credentialSummary = z
  .object({
    id,
    provider: z.enum(PROVIDERS),
    clientId: id.nullable(),
    sourceMode: z.enum(SOURCE_MODES),
    configured: z.boolean(),
    updatedAt: time,
    inherited: z.boolean().optional(),
    lastCheck: credentialCheck.nullable(),
    usedByAgents: z.number().int(),
    /** Whether the engine already uses the saved value. */
    live: z.enum(['live', 'pending', 'unused']),
    lastUsedAt: time.nullable(),
  })
  .meta({ id: 'CredentialSummary' });
export const requirement = z.object({
  provider: z.enum(PROVIDERS),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  state: z.enum(READINESS_STATES),
  agents: z.array(z.object({ id, name: z.string(), stepNames: z.array(z.string()) })),
});
export const readinessCell = z.object({ provider: z.enum(PROVIDERS), state: z.enum(READINESS_STATES), message: z.string().nullable() });
export const readinessRow = z.object({
  agentId: id,
  agentName: z.string(),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  cells: z.array(readinessCell),
});

export const instanceWorkflow = z.object({
  workflowId: id,
  name: z.string(),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  templateName: z.string(),
  templateVersion: z.number().int().nullable(),
  latestTemplateVersion: z.number().int(),
  providerFlowId: z.string().nullable(),
  isActive: z.boolean(),
  /** Result of the last comparison of the flow with its template; null: not compared yet. A repair fixes differences. `unchecked`: the engine returned an error. */
  drift: z
    .object({ state: z.enum(DRIFT_STATES), checkedAt: time, differences: z.array(z.object({ step: z.string(), what: z.string() })) })
    .nullable(),
});
export const instanceRecord = z
  .object({
    partnerId: id,
    provider: z.string(),
    status: z.enum(INSTANCE_STATUSES),
    tenancyMode: z.enum(TENANCY_MODES),
    projectId: z.string().nullable(),
    baseUrl: z.string().nullable(),
    provisionedAt: time.nullable(),
    lastError: z.string().nullable(),
    errorPublic: z.string().nullable(),
    apiKeyEncrypted: z.null(),
    currentAttemptId: id.nullable(),
    updatedAt: time.nullable(),
    workflows: z.array(instanceWorkflow),
  })
  .meta({ id: 'AutomationInstance' });
export const attemptRecord = z
  .object({
    id,
    number: z.number().int(),
    partnerId: id,
    mode: z.enum(ATTEMPT_MODES),
    status: z.enum(ATTEMPT_STATUSES),
    requestedBy: id.nullable(),
    requestedByName: z.string().nullable(),
    clientId: id.nullable(),
    templateNames: z.array(z.string()),
    refreshTemplates: z.boolean(),
    startedAt: time,
    finishedAt: time.nullable(),
    error: z.string().nullable(),
    errorPublic: z.string().nullable(),
  })
  .meta({ id: 'ProvisioningAttempt' });
export const provisioningStep = z
  .object({
    attemptId: id,
    name: z.string(),
    order: z.number().int(),
    stage: z.enum(STAGE_KEYS),
    status: z.enum(STEP_STATUSES),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    durationMs: z.number().int().nullable(),
    summary: z.string().nullable(),
    warnings: z.array(z.string()),
    error: z.string().nullable(),
    errorPublic: z.string().nullable(),
    metadata: jsonObject,
  })
  .meta({ id: 'ProvisioningStep' });
export const attemptSteps = z.object({ attempt: attemptRecord.nullable(), steps: z.array(provisioningStep) });
export const provisionAnswer = z
  .object({
    attemptId: id,
    status: z.enum(ATTEMPT_STATUSES),
    instance: instanceRecord,
    steps: z.array(provisioningStep),
  })
  .meta({ id: 'ProvisionAnswer' });

/** A rollout of a newer template version to partners with an older one. Staff only. */
export const rolloutRecord = z
  .object({
    id,
    templateName: z.string(),
    targetVersion: z.number().int(),
    status: z.enum(ROLLOUT_STATUSES),
    batchSize: z.number().int(),
    requestedByName: z.string().nullable(),
    createdAt: time,
    finishedAt: time.nullable(),
    counts: z.object({
      pending: z.number().int(),
      running: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
      skipped: z.number().int(),
    }),
    partners: z.array(
      z.object({
        partnerId: id,
        name: z.string(),
        status: z.enum(ROLLOUT_PARTNER_STATUSES),
        attemptId: id.nullable(),
        message: z.string().nullable(),
        startedAt: time.nullable(),
        finishedAt: time.nullable(),
      }),
    ),
  })
  .meta({ id: 'Rollout' });

export const stageRecord = z.object({
  key: z.enum(STAGE_KEYS),
  label: z.string(),
  status: z.enum(STEP_STATUSES),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  durationMs: z.number().int().nullable(),
});
/** The redacted view: it has no member for baseUrl, projectId or lastError. */
export const partnerAutomation = z
  .object({
    status: z.enum(INSTANCE_STATUSES),
    stages: z.array(stageRecord),
    errorPublic: z.string().nullable(),
    provisionedAt: time.nullable(),
    attempt: z.object({ id, startedAt: time, finishedAt: time.nullable() }).nullable(),
    workflows: z.array(
      z.object({
        workflowId: id,
        name: z.string(),
        clientId: id.nullable(),
        clientName: z.string().nullable(),
        templateName: z.string(),
        templateVersion: z.number().int().nullable(),
        latestTemplateVersion: z.number().int(),
        isActive: z.boolean(),
        installed: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'PartnerAutomation' });
export const viewerAnswer = z
  .object({ workflow: workflowRecord, definition: workflowDefinition, runs: z.array(executionRow) })
  .meta({ id: 'WorkflowViewer' });

export const quotaRecord = z
  .object({
    used: z.number().int(),
    inFlight: z.number().int(),
    remaining: z.number().int(),
    limit: z.number().int(),
    monthly: z.number().int(),
    purchased: z.number().int(),
    percent: z.number(),
    periodStart: time,
    resetsAt: time,
    forecastDate: time.nullable(),
  })
  .meta({ id: 'Quota' });
export const usageEntry = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    clientName: z.string().nullable(),
    workflowId: id.nullable(),
    agentName: z.string().nullable(),
    executionId: id.nullable(),
    kind: z.enum(USAGE_KINDS),
    credits: z.number().int(),
    note: z.string(),
    at: time,
  })
  .meta({ id: 'UsageEntry' });
