import type {Entrances} from '../../../source/host/simulated/access.ts';
import type {Report, Work} from '../../../source/contract/nouns/host-work.ts';
import type {BootState, Runtime, SendReport} from '../../../source/host/base/runtime.ts';

/** Work for an instance that shall run. */
export function workOf(work: Partial<Work> = {}): Work {
	return {
		instance_id: 7,
		machine_id: 1,
		wanted: 'running',
		boot: 1,
		container: 1,
		label: null,
		image: 'ubuntu:24.04',
		launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
		env: [],
		api_key: 'key',
		onstart: '',
		args: [],
		disk: 16,
		gpu_ids: [0],
		public_keys: [],
		mounts: [],
		...work,
	};
}

/** A runtime that does nothing but note down what it is told to do. */
export function openNotes(held: ReadonlyMap<number, BootState> = new Map()) {
	const steps: string[] = [];
	const keys: unknown[] = [];
	const refreshed: Work[] = [];
	/** Why every step fails, and what every step waits for. */
	const state: {
		failure?: Error | undefined;
		wait?: Promise<void>;
		/** Volumes that are there before it is told anything. */
		volumes?: readonly number[];
	} = {};
	let tellIt: SendReport | undefined;
	async function note(step: string): Promise<void> {
		steps.push(step);
		await state.wait;
		if (state.failure !== undefined) throw state.failure;
	}
	const runtime: Runtime = {
		adopt: async () => held,
		async start({instance_id: id, boot, api_key}) {
			keys.push(api_key);
			await note(`start ${id} boot ${boot}`);
		},
		refresh: async work => void refreshed.push(work),
		stop: async id => note(`stop ${id}`),
		remove: async id => note(`remove ${id}`),
		keepVolume: async ({volume_id: id}) => note(`keep volume ${id}`),
		removeVolume: async id => note(`remove volume ${id}`),
		listVolumes: async () => state.volumes ?? [],
		logs: async ({id}) => `logs for ${id}\0`,
		async execute() {
			throw new Error('no such command');
		},
		unwell: () => new Map(),
		close: async () => note('close'),
	};
	return {
		steps,
		/** The API keys that came with each start. */
		keys,
		refreshed,
		state,
		runtime,
		open: (tell: SendReport): Runtime => {
			tellIt = tell;
			return runtime;
		},
		tell: (report: Report) => tellIt?.(report),
	};
}

/** Entrances that are opened like this, with the ids of those that were shut and removed. */
export function entrancesAt(open: Entrances['open']) {
	const shut: number[] = [];
	const removed: number[] = [];
	return {
		open,
		admit: () => undefined,
		execute: async () => '',
		files: {
			address: '127.0.0.1',
			inside: async () => Promise.reject(new Error('nobody copies')),
		},
		keepVolume: async () => undefined,
		removeVolume: async () => undefined,
		listVolumes: async () => [],
		shut: async (id: number) => void shut.push(id),
		remove: async (id: number) => void removed.push(id),
		close: async () => undefined,
		shutOnes: shut,
		removedOnes: removed,
	};
}
