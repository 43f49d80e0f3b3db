import type { CollectionRules } from '@partner-portal/core/billing/collection.ts';
import type { Clock } from '#platform/clock.ts';
import type { ComputePool } from '#platform/compute/compute-pool.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Log } from '#platform/log.ts';
import type { FileStore } from '#modules/1-ledger/files/index.ts';
import type { MailQueue } from '#modules/1-ledger/mail/index.ts';
import type { Invoicing } from './invoices/seller.ts';

/**
 * `compute` makes documents; `collection` holds the days of the payment clock; `baseUrl` is the public base address, without a trailing
 * slash.
 */
export type BillingDeps = {
  db: Database;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  mail: MailQueue;
  compute: ComputePool;
  files: FileStore;
  invoicing: Invoicing;
  collection: CollectionRules;
  baseUrl: string;
};
