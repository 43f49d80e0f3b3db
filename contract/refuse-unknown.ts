import { z } from 'zod';

/**
 * Returns the schema with unknown members refused instead of dropped, in its object and in those below it. An object that says itself what it does with
 * further members keeps that.
 */
export function refuseUnknown(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(Object.entries(schema.shape).map(([name, member]) => [name, refuseUnknown(member as z.ZodType)])); // a shape has schemas
    return schema.clone({ ...schema.def, shape, catchall: schema.def.catchall ?? z.never() });
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return withPart(schema, 'innerType', refuseUnknown(schema.def.innerType as z.ZodType));
  if (schema instanceof z.ZodArray) return withPart(schema, 'element', refuseUnknown(schema.def.element as z.ZodType));
  return schema;
}

function withPart<S extends z.ZodType>(schema: S, name: string, part: z.ZodType): S {
  return schema.clone({ ...schema.def, [name]: part });
}
