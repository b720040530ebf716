import * as z from 'zod/mini';
import {endpoint} from './endpoint.ts';
import {commonRefusals} from './errors.ts';

export const gpuNames = endpoint({
	method: 'GET',
	path: '/api/v0/gpu_names/unique/',
	summary: 'List the names of the GPUs that are offered',
	replies: {200: z.looseObject({gpu_names: z.array(z.string())}), ...commonRefusals},
	permission: undefined,
	thresholdSeconds: undefined,
});
