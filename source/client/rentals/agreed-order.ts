/** An order with the price and the GPUs that its offer showed, kept with the pending rent for any program to compare with. */
import * as z from 'zod/mini';

/** A field that cannot be read counts as not agreed: it must not hide the pending rent. */
const maybe = <Of extends z.ZodMiniType>(schema: Of) => z.catch(z.optional(schema), undefined);
const figure = z.number();

export const agreedOrder = z.readonly(
	z.object({
		gpuName: maybe(z.string()),
		gpus: maybe(figure),
		diskGb: maybe(figure),
		/** Dollars an hour with the disk, without traffic. */
		perHour: maybe(figure),
		pricing: maybe(z.enum(['on-demand', 'bid'])),
		image: maybe(z.string()),
		label: maybe(z.string()),
		templateHash: maybe(z.string()),
		/** Ports of the container that are to be reached from outside, such as `22/tcp`. */
		ports: maybe(z.readonly(z.array(z.string()))),
	}),
);

/** A field that is left out was not agreed, and is not compared. */
export type AgreedOrder = z.output<typeof agreedOrder>;
