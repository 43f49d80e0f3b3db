import { after, before, describe } from 'node:test';
import type { Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type Collector, prepareCollector } from '../harness/collector.ts';
import { type Receiver, startReceiver } from '../harness/deliveries.ts';
import { seedDemo, startSystem, type System } from '../harness/system.ts';
import { testMetrics } from './on-the-demo/metrics.ts';
import { testMissedCall } from './on-the-demo/missed-call.ts';
import { testTakeDown } from './on-the-demo/take-down.ts';
import { COLLECTOR_TOKEN, testTraces } from './on-the-demo/traces.ts';
import { testWebhooks } from './on-the-demo/webhooks.ts';

// Journeys of one agency on one system. The first needs it as it was installed, the second suspends it and ends its sessions, the last takes it down.

let system: System;
let workspace: Workspace;
let receiver: Receiver;
let collector: Collector;

before(async () => {
  receiver = await startReceiver();
  collector = await prepareCollector();
  system = await startSystem({
    endsAtRest: true,
    env: {
      WEBHOOK_DEV_ALLOWED_HOSTS: new URL(receiver.url).host,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${COLLECTOR_TOKEN}`,
      TRACE_URL_TEMPLATE: 'https://traces.example.com/trace/{traceId}',
    },
  });
  workspace = await seedDemo(system);
});
after(async () => {
  await system?.stop();
  await receiver?.close();
  await collector?.close();
});
const open = () => ({ system, workspace, receiver, collector });

describe('the main flow', () => testMissedCall(open));
describe('webhooks', () => testWebhooks(open));
describe('traces', () => testTraces(open));
describe('metrics', () => testMetrics(open));
describe('a take-down', () => testTakeDown(open));
