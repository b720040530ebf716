/** Instance settings that the market never searches by. */
import type {Env} from '../../contract/rules/env.ts';
import type {Launch} from '../../contract/rules/runtype.ts';
import type {Access} from '../../contract/nouns/host-work.ts';
import {relayedPorts} from '../../contract/rules/relay.ts';

export type InstanceSettings = {
	readonly launch: Launch;
	/** Variables of the request over the template's. The account's are added at each start. */
	readonly env: Env;
	readonly onstart: string;
	/** Arguments of the image's start command. */
	readonly args: readonly string[];
	readonly use_jupyter_lab: boolean;
	readonly jupyter_dir: string;
	readonly jupyter_token: string;
	readonly python_utf8: boolean;
	readonly lang_utf8: boolean;
	readonly force: boolean;
	readonly user: string;
	/** Registry credentials, for the host alone. */
	readonly image_login: string;
	readonly vm: boolean;
	readonly extra_filters: Readonly<Record<string, unknown>>;
};

export const plainSettings: InstanceSettings = {
	launch: {mode: 'args', sshDirect: false, jupyterDirect: false},
	env: [],
	onstart: '',
	args: [],
	use_jupyter_lab: false,
	jupyter_dir: '',
	jupyter_token: '',
	python_utf8: false,
	lang_utf8: false,
	force: false,
	user: '',
	image_login: '',
	vm: false,
	extra_filters: {},
};

export function printSettings(settings: InstanceSettings): string {
	return JSON.stringify(settings);
}

export function readInstanceSettings(text: string): InstanceSettings {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `printSettings` wrote it
	return JSON.parse(text) as InstanceSettings;
}

export function readAccess(text: string): Access {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return JSON.parse(text) as Access;
}

/** Container ports that an instance's relay ports forward to, in order; 0 for none. */
export function relayedInside({
	settings,
	access,
}: {
	readonly settings: string;
	readonly access: string | null;
}): readonly number[] {
	const hasSsh = readInstanceSettings(settings).launch.mode !== 'args';
	const ports = access === null ? undefined : readAccess(access).ports;
	return relayedPorts({hasSsh, ports});
}
