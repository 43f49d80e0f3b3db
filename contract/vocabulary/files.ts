export const FILE_PURPOSES = ['export', 'media', 'invoice', 'knowledge'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** Logos and avatars are shown without a session, since mail and sign-in pages need them. */
export const MEDIA_PURPOSES = ['general', 'logo', 'avatar'] as const;
export type MediaPurpose = (typeof MEDIA_PURPOSES)[number];

export const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];
