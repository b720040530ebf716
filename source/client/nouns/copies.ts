import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

/** An instance or a volume. */
export type CopyEnd = {readonly kind: 'instance' | 'volume'; readonly id: number};

/** A path in one. */
export type CopyPlace = CopyEnd & {readonly path: string};

/** As the wire names it. */
function wordOf({kind, id}: CopyEnd): string {
	return kind === 'volume' ? `V.${id}` : `C.${id}`;
}

export function copyCalls(call: CallEndpoint) {
	return {
		/** Has the host of the target copy files of the source, which takes its time. */
		async start(source: CopyPlace, target: CopyPlace, options?: CallOptions): Promise<void> {
			const body = {
				src_id: wordOf(source),
				src_path: source.path,
				dst_id: wordOf(target),
				dst_path: target.path,
			};
			await call(contract.copies.start, {body}, options);
		},
		/** Ends the copies into an instance or a volume. */
		async cancel(target: CopyEnd, options?: CallOptions): Promise<void> {
			await call(contract.copies.cancel, {body: {dst_id: wordOf(target)}}, options);
		},
	};
}
