import type { Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { Collector } from '../../harness/collector.ts';
import type { Receiver } from '../../harness/deliveries.ts';
import type { System } from '../../harness/system.ts';

/** The demo workspace on a system that may send webhooks to this receiver and its traces to this collector. */
export type OnTheDemo = { system: System; workspace: Workspace; receiver: Receiver; collector: Collector };
