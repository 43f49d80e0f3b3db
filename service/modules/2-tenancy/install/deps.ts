import type { Secret } from '#platform/secret.ts';
import type { IconDeps } from './read-icon.ts';

export type InstallDeps = IconDeps & { callbackSecret: Secret };
