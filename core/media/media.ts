import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { MediaPurpose, MediaType, PartnerRole, Role } from '@partner-portal/contract/vocabulary.ts';

/** Who uploads or changes a file. */
export type MediaActor = { userId: string; role: Role; partnerRole: PartnerRole | null };

/** Returns why the caller may not upload for this purpose; null when they may. An avatar is part of the own profile. */
export function refusedUpload({ role, partnerRole }: MediaActor, purpose: MediaPurpose): ErrorCode | null {
  if (purpose === 'avatar') return null;
  if (role === 'PARTNER') return partnerRole === 'admin' ? null : 'partner_role_forbidden';
  return purpose === 'logo' ? 'role_forbidden' : null;
}

/** Returns why the caller may not change or remove a file in their scope; null when they may. */
export function refusedMediaChange(actor: MediaActor, media: { purpose: MediaPurpose; uploadedBy: string | null }): ErrorCode | null {
  const isOwnAvatar = media.purpose === 'avatar' && media.uploadedBy === actor.userId;
  if (isOwnAvatar || actor.role === 'ADMIN') return null;
  if (actor.role === 'PARTNER') return actor.partnerRole === 'admin' ? null : 'partner_role_forbidden';
  return media.purpose === 'avatar' ? 'role_forbidden' : null;
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
