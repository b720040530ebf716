import * as z from 'zod/mini';
import {endpoint} from './endpoint.ts';
import {commonRefusals} from './errors.ts';
import {listReply} from './list-reply.ts';

export const gpuNames = endpoint({
	method: 'GET',
	path: '/api/v0/gpu_names/unique/',
	summary: 'List the names of the GPUs that are offered',
	replies: {
		200: listReply(z.looseObject({gpu_names: z.array(z.string())}), {
			name: 'gpu_names',
			record: z.string(),
		}),
		...commonRefusals,
	},
	permission: undefined,
	thresholdSeconds: undefined,
});
