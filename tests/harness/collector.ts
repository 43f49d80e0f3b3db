import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from './free-port.ts';

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean; doubleValue?: number };
type Resource = { attributes: { key: string; value: Value }[] };

/** A span as OTLP writes it in JSON, with the name of its service. */
export type CollectedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
};

type Export = { resourceSpans: { resource: Resource; scopeSpans: { spans: Omit<CollectedSpan, 'service'>[] }[] }[] };

/** A collector of OpenTelemetry that keeps what it is sent. Until `open` nothing listens at its address. */
export type Collector = {
  url: string;
  open(): Promise<void>;
  spans(): CollectedSpan[];
  headers(): IncomingHttpHeaders[];
  /** The bodies as they came. */
  bodies: string[];
  close(): Promise<void>;
};

export async function prepareCollector(): Promise<Collector> {
  const port = await freePort();
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === 'POST' && request.url === '/v1/traces') {
      headers.push(request.headers);
      bodies.push(body);
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    async open() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    headers: () => headers,
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Export).resourceSpans) // as the exporter writes it
        .flatMap(({ resource, scopeSpans }) => {
          const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
          return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
        }),
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The value of an attribute. */
export function attributeOf({ attributes }: Pick<CollectedSpan, 'attributes'>, key: string): string | number | boolean | undefined {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue ?? value?.boolValue ?? value?.doubleValue;
}
