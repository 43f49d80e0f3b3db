import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { LOCALES, PARTNER_ROLES, PROVIDERS, REPORT_FAILURES, ROLES } from '../vocabulary.ts';

const count = z.number().int();
const currency = z.string().length(3);

/** A month of the calendar, `YYYY-MM`, in the time zone of the client. */
export const reportMonth = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'Use a month such as 2026-10.');

export const reportTotals = z
  .object({
    runs: count,
    succeeded: count,
    failed: count,
    /** Runs that sent a text. A person who got two counts twice; mails do not count. */
    contacted: count,
    /** Runs that did what the agent is for; those it skipped on purpose are left out. */
    helped: count,
    /** Estimated by the agency for each template, rounded to a tenth. */
    hoursSaved: z.number(),
    /** Credits of the runs; null for the client, who does not buy them. */
    credits: count.nullable(),
  })
  .meta({ id: 'ReportTotals' });

/** Results of the agents for a client in one month. */
export const clientReport = z
  .object({
    client: z.object({ id, name: z.string(), timezone: z.string(), locale: z.enum(LOCALES) }),
    partner: z.object({
      id,
      name: z.string(),
      logoUrl: z.string().nullable(),
      brandColor: z.string().nullable(),
      supportEmail: z.string().nullable(),
    }),
    month: reportMonth,
    /** Whether the month has ended. Only then its numbers are final, and compared with the month before. */
    isFinished: z.boolean(),
    generatedAt: time,
    /** The first month with a run; null before one. */
    firstMonth: reportMonth.nullable(),
    totals: reportTotals,
    /** The month before; null when it has no run or this one has not ended: there is nothing to compare. */
    previous: reportTotals.nullable(),
    /** What the agency thinks the results are worth, in minor units: an estimate. Null while it states no amounts. */
    worth: z.object({ currency, minor: count, previousMinor: count.nullable() }).nullable(),
    /** The best words that a customer wrote and allowed to be quoted, with the first name; null without any. They are read as long as contents of runs are stored. */
    words: z.object({ text: z.string(), customer: z.string(), rating: z.number() }).nullable(),
    /** One per agent that ran, removed ones included, by what they did. */
    results: z.array(
      z.object({
        workflowId: id,
        agentName: z.string(),
        templateName: z.string().nullable(),
        icon: z.string(),
        /** Runs that did what the agent is for. */
        count,
        /** Completes the count: "38 …". */
        phrase: z.string(),
        runs: count,
        failed: count,
        hoursSaved: z.number(),
        previousCount: count.nullable(),
        /** What the agency thinks these results are worth, in minor units of the currency of `worth`; null without an amount. */
        worthMinor: count.nullable(),
      }),
    ),
    /** Up to twelve months that end with this one, oldest first, from the first month with a run. */
    trend: z.array(z.object({ month: reportMonth, helped: count, runs: count, failed: count, hoursSaved: z.number() })),
    /** Hours with runs, in the client's time zone; 1 is Monday. */
    busiestHours: z.array(z.object({ weekday: z.number().int().min(1).max(7), hour: z.number().int().min(0).max(23), runs: count })),
    /** Failures by cause, in plain words. */
    failures: z.array(
      z.object({
        cause: z.enum(REPORT_FAILURES),
        text: z.string(),
        count,
        /** Names of the agents it happened to. */
        agents: z.array(z.string()),
        /** How many of them succeeded when they were run again. */
        handled: count,
      }),
    ),
    /** An agent that the client does not have yet. */
    suggestion: z
      .object({
        templateName: z.string(),
        title: z.string(),
        summary: z.string(),
        icon: z.string(),
        /** Services that have to be connected first. */
        missing: z.array(z.enum(PROVIDERS)),
      })
      .nullable(),
  })
  .meta({ id: 'ClientReport' });

/** A person who may get the report by mail: a user of the client's portal or a member of its agency. */
export const reportRecipient = z
  .object({
    userId: id,
    fullName: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    partnerRole: z.enum(PARTNER_ROLES).nullable(),
    isSubscribed: z.boolean(),
    /** They ended it themselves: only they can subscribe again. */
    hasOptedOut: z.boolean(),
    /** The person who last subscribed or unsubscribed them; null before anyone did. */
    changedBy: z.object({ id, name: z.string() }).nullable(),
    changedAt: time.nullable(),
    /** The last report that was mailed to them. */
    lastSentMonth: reportMonth.nullable(),
  })
  .meta({ id: 'ReportRecipient' });

/** The mail of a report, as it would be sent. */
export const reportPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() }).meta({ id: 'ReportPreview' });

/** The result of a send by hand. */
export const reportSent = z
  .object({
    month: reportMonth,
    /** How many mails are on their way. */
    queued: count,
    skipped: z.array(z.object({ userId: id, reason: z.enum(['opted_out']) })),
  })
  .meta({ id: 'ReportSent' });

/** The agency's estimate of what one run of an agent saves. */
export const hoursEstimate = z
  .object({
    templateName: z.string(),
    title: z.string(),
    icon: z.string(),
    /** The catalog's estimate, in hours per run. */
    catalogHours: z.number(),
    /** The agency's own; null while the catalog's counts. */
    hours: z.number().nullable(),
  })
  .meta({ id: 'HoursEstimate' });

/** What the agency thinks one result of each agent is worth to its clients. */
export const resultValues = z
  .object({
    /** Currency of all amounts: the one of the agency's plan until it chooses another. */
    currency,
    values: z.array(
      z.object({
        templateName: z.string(),
        title: z.string(),
        icon: z.string(),
        /** What a result is: "missed call answered by text". */
        phrase: z.string(),
        /** In minor units; null while the agency states none, and reports show none. */
        valueMinor: count.nullable(),
      }),
    ),
  })
  .meta({ id: 'ResultValues' });
