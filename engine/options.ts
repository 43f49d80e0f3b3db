import { z } from 'zod';
import { engineIdSchema } from './protocol.ts';

const pgConfigSchema = z.object({
  host: z.string(),
  port: z.number().int().optional(),
  user: z.string(),
  database: z.string(),
  password: z.string().optional(),
  ssl: z
    .union([z.boolean(), z.object({ rejectUnauthorized: z.boolean(), host: z.string().optional(), ca: z.string().optional() })])
    .optional(),
});

/** The start options of the engine: one JSON line on the standard input of `main.ts`, or the argument of `startEngine`. */
export const engineOptionsSchema = z.object({
  /** A connection string, or the fields of a pg connection. The role owns the schema `engine`, or may create it. */
  database: z.union([z.string(), pgConfigSchema]),
  host: z.string().default('127.0.0.1'),
  /** 0 takes any free port. */
  port: z.number().int().min(0).max(65_535).default(0),
  /** Id that the project of a new platform gets; the first project keeps its own. */
  projectId: engineIdSchema.optional(),
  adminEmail: z.string().min(3),
  adminPassword: z.string().min(8).max(64),
  /** 32 bytes, base64: seals connection values at rest. */
  encryptionKey: z.string().refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64'),
  jwtSecret: z.string().min(16),
  /** The recorded edition allows one team project; UNLIMITED is for a project per tenant. */
  teamProjects: z.enum(['ONE', 'UNLIMITED']).default('ONE'),
  /** `host` or `host:port` that HTTP steps may reach although the address is private. */
  allowedHosts: z.array(z.string()).default([]),
  /** `host:port` of those that are served by another `host:port` now: flows keep the address, and connections go to the other. */
  movedHosts: z.record(z.string(), z.string().regex(/^[^:]+:\d+$/)).default({}),
  /** Runs executed at the same time, over all flows. */
  concurrency: z.number().int().min(1).max(5_000).default(256),
  codeStepLimitMs: z.number().int().min(50).max(60_000).default(10_000),
  httpStepTimeoutMs: z.number().int().min(50).max(600_000).default(30_000),
  runLimitMs: z.number().int().min(1_000).default(600_000),
  /** First wait of `retryOnFailure`; each further one doubles it. */
  retryWaitMs: z.number().int().min(1).default(4_000),
  /** How long a `/sync` call waits for the answer of its flow. */
  syncLimitMs: z.number().int().min(1).default(30_000),
  /** How long a stop waits for steps under way. What it cuts off is taken up at the next start. */
  stopLimitMs: z.number().int().min(0).max(600_000).default(5_000),
  /** Writes a line on stdout for each run and step of a traced event. */
  traces: z.boolean().default(false),
  retentionDays: z.number().int().min(1).default(30),
});
export type EngineOptionsInput = z.input<typeof engineOptionsSchema>;

/**
 * Node flags for the engine's process, which keep it at 140 to 165 MB under load, shared pages included (bench/README.md). The heap: a small young generation and
 * one helper thread. The compilers: what they take for one large function they never quite give back, so the parser of HTTP answers, which
 * is WebAssembly, stays with the quick compiler, little is inlined and very large functions are not optimised. None of that costs
 * processor time that could be measured. The environment variable NODE_COMPILE_CACHE (a private folder) saves 20 MB and 200 ms more from the second start on,
 * since sources are then not stripped and compiled again.
 */
export const ENGINE_NODE_FLAGS = [
  '--max-semi-space-size=2',
  '--max-old-space-size=512',
  '--v8-pool-size=1',
  '--liftoff-only',
  '--max-inlined-bytecode-size-cumulative=150',
  '--max-maglev-inlined-bytecode-size-cumulative=150',
  '--max-optimized-bytecode-size=3000',
] as const;
