import { createHash } from 'node:crypto';
import { deriveMailBrand } from '@partner-portal/core/tenancy/brand.ts';
import { type IconName, ICONS, initialOf } from '@partner-portal/core/tenancy/install.ts';
import type { FileStore } from '#modules/1-ledger/files/index.ts';
import { readLogo } from '#modules/2-tenancy/media/index.ts';
import { type ComputePool, ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import type { Database } from '#platform/db/tx.ts';
import type { FileAnswer } from '#platform/http/answer.ts';
import { BUSY_RETRY_SECONDS, refuse } from '#platform/refuse.ts';
import type { renderIcon } from './render-icon.ts';
import type { BrandRow } from './store.ts';
import { brandVersion } from './web-manifest.ts';

const RENDER = defineTask<typeof renderIcon>({
  file: new URL('./render-icon.ts', import.meta.url),
  name: 'renderIcon',
  deadlineMs: 20_000,
});
/** Icons kept in memory, of some kilobytes each; the least recently used one goes. */
const KEPT = 256;

export type IconDeps = { db: Database; files: FileStore; compute: ComputePool };

/** Returns icons of agencies, each drawn once per process while it is in use: concurrent readers wait for the same drawing. */
export function createIconReader(deps: IconDeps): (brand: BrandRow, icon: IconName) => Promise<FileAnswer> {
  const kept = new Map<string, Promise<Uint8Array>>();
  return async (brand, icon) => {
    const key = `${brand.id} ${icon} ${brandVersion(brand)}`;
    const drawing = kept.get(key) ?? draw(deps, brand, icon);
    kept.delete(key);
    kept.set(key, drawing);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    // A failure is not kept.
    const bytes = await drawing.catch((error: unknown) => {
      kept.delete(key);
      if (!(error instanceof ComputeRefusal)) throw error;
      return refuse('service_unavailable', {
        detail: 'The icon could not be drawn in time. Try again.',
        retryAfterSeconds: BUSY_RETRY_SECONDS,
        cause: error,
      });
    });
    return {
      kind: 'file',
      filename: icon,
      contentType: 'image/png',
      sizeBytes: bytes.length,
      etag: createHash('sha256').update(bytes).digest('base64url'),
      disposition: 'inline',
      headers: {
        'cache-control': 'public, max-age=86400',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      },
      read: (range) => chunkOf(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
    };
  };
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function draw({ db, files, compute }: IconDeps, brand: BrandRow, icon: IconName): Promise<Uint8Array> {
  const logo = brand.logoMediaId === null ? null : await readLogo({ db, files }, brand.id);
  const { fill, on } = deriveMailBrand(brand.brandColor);
  const { side, isMaskable } = ICONS[icon];
  const input = { logo, initial: initialOf(brand.name), fill, on, side, isMaskable };
  return compute.run(RENDER, input, { key: brand.id, bytes: (logo?.length ?? 0) + side * side * 4 });
}
