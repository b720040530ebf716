/** The unit by which systemd runs `rentty host`, with no more rights than it needs. */
import {UsageError} from '../../renter/text/usage-error.ts';

type UnitOptions = {
	/** Program and first arguments that start rentty. */
	readonly program: readonly string[];
	/** Arguments after `rentty host`, without those of files and the folder. */
	readonly args: readonly string[];
	/** File with the key, which root alone need be able to read. */
	readonly keyFile: string;
	/** File with the certificate of a private authority; undefined for none. */
	readonly caFile: string | undefined;
	/** Name of the unit without `.service`, of its folder, and of its user unless that is root. */
	readonly service: string;
	readonly isRoot: boolean;
	/** Further groups of its user, such as that of GPUs. */
	readonly groups: readonly string[];
};

/** Writes the unit. @throws UsageError for words that no unit can hold */
export function unitOf(options: UnitOptions): string {
	const {program, args, keyFile, caFile, service, isRoot, groups} = options;
	const folder = `/var/lib/${service}`;
	const start = [...program, 'host', ...args].map(quoted);
	// Not quoted: systemd expands %d itself.
	const ca = caFile === undefined ? [] : ['--ca', '%d/ca'];
	const own = ['--key-file', '%d/key', ...ca, '--folder', `${folder}/instances`];
	const lines = [
		'# Written by rentty host install, which replaces it: changes belong into a drop-in, systemctl edit.',
		'[Unit]',
		'Description=rentty host: offers this machine on a market',
		'Wants=network-online.target',
		'After=network-online.target docker.service podman.socket',
		'# It refuses to start without the engine of its containers, and is tried again until there is one.',
		'StartLimitIntervalSec=0',
		'',
		'[Service]',
		'Type=exec',
		`ExecStart=${[...start, ...own].join(' ')}`,
		`LoadCredential=key:${plainPath(keyFile)}`,
		...(caFile === undefined ? [] : [`LoadCredential=ca:${plainPath(caFile)}`]),
		`StateDirectory=${service} ${service}/tmp`,
		'StateDirectoryMode=0700',
		`Environment=HOME=${folder} TMPDIR=${folder}/tmp`,
		'Restart=always',
		'RestartSec=1',
		'# Instances outlive the agent, also where one of them takes too much memory.',
		'KillMode=process',
		'OOMPolicy=continue',
		'# Limits of instances are groups below its own, and the agent is beside them.',
		'Delegate=yes',
		'DelegateSubgroup=rentty-agent',
		'TasksMax=infinity',
		'LimitNOFILE=1048576',
		'UMask=0077',
		...(isRoot ? rootLines : ownLines(service, groups)),
		'# Not set, for sandboxes and GPUs need what they take: ProtectKernelTunables, ProtectProc and',
		'# ProtectControlGroups (a /proc and groups of their own), RestrictNamespaces, ProtectHostname,',
		'# PrivateDevices and ProtectClock (devices), RestrictSUIDSGID and SystemCallFilter (renters inherit them).',
		'',
		'[Install]',
		'WantedBy=multi-user.target',
	];
	return `${lines.join('\n')}\n`;
}

function ownLines(service: string, groups: readonly string[]): readonly string[] {
	return [
		`User=${service}`,
		...(groups.length > 0 ? [`SupplementaryGroups=${groups.join(' ')}`] : []),
		'NoNewPrivileges=yes',
		'CapabilityBoundingSet=',
		'ProtectSystem=strict',
		'ProtectHome=yes',
		'ProtectKernelModules=yes',
		'RestrictRealtime=yes',
		'KeyringMode=private',
	];
}

/** Root makes disks and networks itself. */
const rootLines = ['ProtectHome=read-only', 'ProtectKernelModules=yes', 'RestrictRealtime=yes'];

/** A user as systemd-sysusers makes it. */
export function userOf(service: string): string {
	return `u ${service} - "rentty host" /var/lib/${service}\n`;
}

/** An argument as a unit has it: quoted, and with nothing that systemd would fill in. */
function quoted(word: string): string {
	if (/\p{Cc}/u.test(word))
		throw new UsageError('No option of a unit has lines or control characters.');
	const plain = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
	return /^[\w./:=,@+%$-]+$/.test(plain) ? plain : `"${plain.replaceAll(/["\\]/g, '\\$&')}"`;
}

function plainPath(file: string): string {
	if (/^\/[\w./@+-]+$/.test(file)) return file;
	throw new UsageError(`${file} has characters that no unit takes as they are: move the file.`);
}
