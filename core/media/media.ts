import type { RouteName } from '@partner-portal/contract';
import type { MediaPurpose, MediaType } from '@partner-portal/contract/vocabulary.ts';

/**
 * The route that says who may add a file for a purpose, since adding it is a part of what the route does: a logo is set with the agency, an avatar with the own profile,
 * and any other file is changed by who may add it.
 */
export const ADDED_LIKE = { logo: 'updateMyPartner', avatar: 'updateMe', general: 'changeMedia' } as const satisfies {
  [purpose in MediaPurpose]: RouteName;
};

/** Returns the route whose access decides who may change or remove a file in their scope: for one's own avatar the own profile, for another person's the management of an account's people. */
export function changedLike({ userId }: { userId: string }, { purpose, uploadedBy }: { purpose: MediaPurpose; uploadedBy: string | null }) {
  if (purpose !== 'avatar') return 'changeMedia';
  return uploadedBy === userId ? 'updateMe' : 'removeClientUser';
}

/** Whether the file is shown to anyone who has its address: mail and sign-in pages show logos, lists show avatars. */
export function isPublicMedia(purpose: MediaPurpose): boolean {
  return purpose !== 'general';
}

/** `cover`: cropped to the middle; `inside`: whole, no larger than the box; `contain`: whole, in the middle of a transparent box. */
export type ImageSize = { name: string; width: number; height: number; fit: 'cover' | 'inside' | 'contain' };

/** The size an image is stored in at most, and the other sizes made of it. Encoding takes more memory than decoding, so all have a largest size. */
export const IMAGE_SIZES: Readonly<Record<MediaPurpose, { largest: ImageSize; variants: readonly ImageSize[] }>> = {
  general: { largest: { name: 'largest', width: 3_200, height: 3_200, fit: 'inside' }, variants: [] },
  logo: {
    largest: { name: 'largest', width: 800, height: 400, fit: 'inside' },
    variants: [
      { name: 'icon', width: 64, height: 64, fit: 'contain' },
      { name: 'small', width: 240, height: 96, fit: 'inside' },
    ],
  },
  avatar: {
    largest: { name: 'largest', width: 256, height: 256, fit: 'cover' },
    variants: [{ name: 'small', width: 96, height: 96, fit: 'cover' }],
  },
};

/** Returns the type an image is stored in. A logo is a PNG: mail clients and PDFs show no WebP, and a logo keeps its transparency. */
export function storedTypeOf(purpose: MediaPurpose, type: MediaType): MediaType {
  return purpose === 'logo' ? 'image/png' : type;
}

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
};
const NAME_MAX = 120;

/** Returns a name for the stored file: without folders, signs of control and direction, and with the extension of its type. */
export function storedFilename(filename: string, type: MediaType): string {
  const last = filename.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const stem = last
    .replace(/[\p{C}"<>|:*?]/gu, '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .trim()
    .replace(/^\.+/, '');
  return `${[...stem].slice(0, NAME_MAX).join('').trim() || 'file'}${EXTENSIONS[type]}`;
}

/** Returns the path of a file, or of an image at another size. */
export function mediaPath(key: string, size?: string): string {
  return size === undefined ? `/files/${key}` : `/files/${key}?size=${size}`;
}
