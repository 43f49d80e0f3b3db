import { z } from 'zod';
import type { SessionAccess } from '../define-route.ts';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { fileBytes, id, idParams, nothing, optionalText, page, pageQuery } from '../primitives.ts';
import { mediaRecord } from '../records/media.ts';
import { LIMITS, MEDIA_PURPOSES } from '../vocabulary.ts';
import { anyone, anyoneWrite } from './access.ts';

/** An upload of an avatar is part of the own profile: moderators change theirs. */
const uploads: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER', 'CLIENT'], write: false };
const filters = { clientId: id.optional(), purpose: z.enum(MEDIA_PURPOSES).optional() };

const listMedia = defineRoute({
  method: 'GET',
  path: '/media',
  tag: 'media',
  summary: 'List the files of the account',
  access: anyone,
  query: pageQuery.extend(filters),
  reply: { 200: page(mediaRecord).extend({ usedBytes: z.number().int(), limitBytes: z.number().int() }) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

export const mediaRoutes = {
  uploadMedia: defineRoute({
    method: 'POST',
    path: '/media',
    tag: 'media',
    summary: 'Upload an image or a PDF',
    access: uploads,
    body: z.object({ purpose: z.enum(MEDIA_PURPOSES).default('general'), altText: optionalText(300).default(''), clientId: id.optional() }),
    bodyLimit: LIMITS.mediaBytesMax,
    upload: true,
    reply: { 201: mediaRecord },
    errors: ['validation_failed', 'not_found', 'partner_role_forbidden', 'media_limit_reached'],
    audit: 'media.uploaded',
  }),
  listMedia,
  exportMedia: csvOf(listMedia, 'Export the list of files as CSV, streamed; their addresses are not in it'),
  getMedia: defineRoute({
    method: 'GET',
    path: '/media/:id',
    tag: 'media',
    summary: 'Get a file',
    access: anyone,
    params: idParams,
    reply: { 200: mediaRecord },
    errors: ['not_found'],
  }),
  changeMedia: defineRoute({
    method: 'PATCH',
    path: '/media/:id',
    tag: 'media',
    summary: 'Change the alternative text of an image',
    access: anyoneWrite,
    params: idParams,
    body: z.object({ altText: optionalText(300) }),
    reply: { 200: mediaRecord },
    errors: ['validation_failed', 'not_found'],
    audit: 'media.changed',
  }),
  deleteMedia: defineRoute({
    method: 'DELETE',
    path: '/media/:id',
    tag: 'media',
    summary: 'Remove a file at once',
    access: uploads,
    params: idParams,
    reply: { 204: nothing },
    errors: ['not_found', 'partner_role_forbidden'],
    audit: 'media.deleted',
  }),
  readFile: defineRoute({
    method: 'GET',
    path: '/files/:key',
    tag: 'media',
    summary: 'Get the bytes of a file; of an image also at another size',
    access: { kind: 'public', mayHaveSession: true, whileSuspended: true },
    limit: 'file',
    params: z.object({ key: z.string().min(16).max(80) }),
    query: z.object({ size: z.string().max(20).optional() }),
    format: 'file',
    reply: { 200: fileBytes, 206: fileBytes },
    errors: ['unauthenticated', 'not_found', 'invalid_query', 'range_not_satisfiable'],
  }),
};
