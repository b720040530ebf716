import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

/** A path in an instance. */
export type CopyPlace = {readonly id: number; readonly path: string};

export function copyCalls(call: CallEndpoint) {
	return {
		/** Has the host of the target copy files of the source, which takes its time. */
		async start(source: CopyPlace, target: CopyPlace, options?: CallOptions): Promise<void> {
			const body = {
				src_id: String(source.id),
				src_path: source.path,
				dst_id: String(target.id),
				dst_path: target.path,
			};
			await call(contract.copies.start, {body}, options);
		},
		/** Ends the copies into an instance. */
		async cancel(targetId: number, options?: CallOptions): Promise<void> {
			await call(contract.copies.cancel, {body: {dst_id: String(targetId)}}, options);
		},
	};
}
