import { MEDIA_TYPES } from '@partner-portal/contract/vocabulary.ts';

/** Types of images, as an upload takes them. */
export const IMAGE_ACCEPT: readonly string[] = MEDIA_TYPES.filter((type) => type.startsWith('image/'));

/** Maximum size of a picked file in bytes. It may exceed the limit of an upload, because only the cropped part is sent. */
export const SOURCE_BYTES_MAX = 20_000_000;
