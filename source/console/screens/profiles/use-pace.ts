import {useEffect, useState} from 'react';
import type {PaceReport} from '../../../client/client.ts';
import {useServices} from '../../services.tsx';
import {createStore} from '../../../renter/store.ts';

/** How often the service is called at present, once there is a client. */
export function usePace() {
	const {client} = useServices();
	const [pace] = useState(() => createStore<readonly PaceReport[]>([]));
	useEffect(() => {
		let stop: (() => void) | undefined;
		let isOver = false;
		async function follow(): Promise<void> {
			const {read, subscribe} = (await client()).pace;
			if (isOver) return;
			pace.set(read());
			stop = subscribe(() => pace.set(read()));
		}
		// Without a client there is no pace; why there is none is said where it is asked for something.
		follow().catch(() => undefined);
		return () => {
			isOver = true;
			stop?.();
		};
	}, [client, pace]);
	return pace;
}
