import { type Alerts, alerts } from '@partner-portal/service/modules/5-reactions/alerts/index.ts';
import type { DomainEvent } from '@partner-portal/service/modules/1-ledger/events/index.ts';
import { events, type Events } from '@partner-portal/service/modules/1-ledger/events/index.ts';
import { type Notifications, notifications } from '@partner-portal/service/modules/5-reactions/notifications/index.ts';
import { createRunner, type JobRunner } from '@partner-portal/service/platform/jobs/runner.ts';
import { type Notices, openNotices } from '@partner-portal/service/platform/notify.ts';
import type pg from 'pg';
import { dueAtOnce } from './due-at-once.ts';
import { startTestService, type TestService } from './service.ts';
import type { Person } from './world.ts';

/** Alerts and notifications, on the database of another test service when its modules emit the causes. */
export type ReactionService = TestService & {
  alerts: Alerts;
  notifications: Notifications;
  notices: Notices;
  runner: JobRunner;
  events: Events;
  /** What the clock of the digests says; the present when unset. */
  time: { now: Date | undefined };
  /** Runs everything that was queued or published. */
  settle(): Promise<void>;
  /** The partner's open alerts. */
  open(as?: Person): Promise<{ id: string; rule: string; label: string; status: string; severity: string; message: string }[]>;
  /** Titles in this person's bell, newest first. */
  bell(as: Person): Promise<string[]>;
  /** Mails queued so far: receiver and subject, oldest first. */
  mails(): Promise<{ to: string; kind: string; subject: string }[]>;
  /** All events of a type as a reaction sees them. */
  eventsOf(type: string): Promise<DomainEvent[]>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
};

export async function startReactionService(service?: TestService): Promise<ReactionService> {
  const made: { alerts?: Alerts; notificationModule?: Notifications; notices?: Notices; eventModule?: Events } = {};
  const time: ReactionService['time'] = { now: undefined };
  const watch = await startTestService({
    // The database is its owner's to drop.
    ...(service ? { database: { ...service.database, drop: async () => undefined }, world: service.world } : {}),
    modules: (platform) => {
      const { db, cursors, log } = platform;
      const notices = openNotices(platform.database.configFor('portal_service'), log);
      const clock = { now: () => time.now ?? new Date() };
      const notificationModule = notifications({
        db,
        cursors,
        clock,
        log,
        notices,
        queueMail: platform.mail.queueMail,
        cancelKeyed: platform.mail.cancelKeyed,
        links: platform.mail.links,
      });
      const watching = alerts({ db, cursors, log });
      const eventModule = events({ db, notices, log, reactions: [notificationModule.reaction, watching.reaction] });
      Object.assign(made, { alerts: watching, notificationModule, notices, eventModule });
      return [watching, notificationModule, platform.mail];
    },
  });
  const { alerts: watching, notificationModule, notices, eventModule } = made;
  if (!watching || !notificationModule || !notices || !eventModule) throw new Error('The modules were not made.');
  const { query } = watch.database;
  const runner = createRunner({
    address: watch.database.configFor('portal_queue'),
    jobs: [...watching.jobs, ...notificationModule.jobs],
    crons: [...watching.crons, ...notificationModule.crons],
    log: watch.log,
  });
  type Listed = { id: string; rule: string; subject: { label: string }; status: string; severity: string; message: string };
  return {
    ...watch,
    alerts: watching,
    notifications: notificationModule,
    notices,
    runner,
    events: eventModule,
    time,
    query,
    async settle() {
      await dueAtOnce(query, 'event');
      while ((await eventModule.runOnce()) > 0);
      await runner.drain();
    },
    async open(as = 'owner') {
      const { body } = await watch.call('GET', '/alerts?open=true&limit=100', { as });
      return body.data.map(({ id, rule, subject, status, severity, message }: Listed) => ({
        id,
        rule,
        label: subject.label,
        status,
        severity,
        message,
      }));
    },
    bell: async (as) =>
      (await watch.call('GET', '/notifications?limit=100', { as })).body.data.map(({ title }: { title: string }) => title),
    mails: () =>
      query(
        "select to_address as to, kind, subject from mail where kind not in ('invitation', 'password_changed', 'mfa_reset') order by id",
      ),
    async eventsOf(type) {
      const rows = await query<{
        id: string;
        partner_id: string;
        client_id: string | null;
        created_at: Date;
        data: Record<string, unknown>;
      }>('select id, partner_id, client_id, created_at, data from event where type = $1 order by id', [type]);
      return rows.map(({ id, partner_id: partnerId, client_id: clientId, created_at: createdAt, data }) => ({
        id,
        partnerId,
        clientId,
        type: type as DomainEvent['type'],
        createdAt,
        data,
        traceparent: null,
      }));
    },
    async close() {
      await runner.stop(0);
      await eventModule.stop();
      await notices.close();
      await watch.close();
    },
  };
}
