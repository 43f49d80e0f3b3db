import { mediaPath } from '@partner-portal/core/media/media.ts';
import type { MediaRow } from './store.ts';

/** The record of the API. */
export function toRecord({ key, uploadedBy: _uploadedBy, ...row }: MediaRow) {
  return { ...row, url: mediaPath(key), variants: row.variants.map((variant) => ({ ...variant, url: mediaPath(key, variant.name) })) };
}
