import { z } from 'zod';

const pgConfigSchema = z.object({
  host: z.string(),
  port: z.number().int().optional(),
  user: z.string(),
  database: z.string(),
  password: z.string().optional(),
  ssl: z.union([z.boolean(), z.object({ rejectUnauthorized: z.boolean() })]).optional(),
});

/** What the engine is started with: one JSON line on the standard input of `main.ts`, or the argument of `startEngine`. */
export const engineOptionsSchema = z.object({
  /** A connection string, or the fields of a pg connection. The role owns the schema `engine`, or may create it. */
  database: z.union([z.string(), pgConfigSchema]),
  host: z.string().default('127.0.0.1'),
  /** 0 takes any free port. */
  port: z.number().int().min(0).max(65_535).default(0),
  adminEmail: z.string().min(3),
  adminPassword: z.string().min(8).max(64),
  /** 32 bytes, base64: seals connection values at rest. */
  encryptionKey: z.string().refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64'),
  jwtSecret: z.string().min(16),
  /** `host` or `host:port` that HTTP steps may reach although the address is private. */
  allowedHosts: z.array(z.string()).default([]),
  /** Runs executed at the same time, over all flows. */
  concurrency: z.number().int().min(1).max(5_000).default(256),
  codeStepLimitMs: z.number().int().min(50).max(60_000).default(10_000),
  httpStepTimeoutMs: z.number().int().min(50).max(600_000).default(30_000),
  runLimitMs: z.number().int().min(1_000).default(600_000),
  /** First wait of `retryOnFailure`; each further one doubles it. */
  retryWaitMs: z.number().int().min(1).default(4_000),
  retentionDays: z.number().int().min(1).default(30),
});
export type EngineOptionsInput = z.input<typeof engineOptionsSchema>;

/**
 * Node flags for the engine's process: a small young generation and few helper threads keep it near 150 MB at
 * 1200 runs per second, at no cost in their number. The environment variable NODE_COMPILE_CACHE (a private folder)
 * saves it 20 MB and 200 ms more, since sources are then not stripped and compiled again at each start.
 */
export const ENGINE_NODE_FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=512', '--v8-pool-size=1'] as const;
