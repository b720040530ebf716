/** Every field of a template: how it is called, what it takes, and its rule. */
import type {FormField} from '../../ui/form-state.ts';
import type {TemplateContent} from '../../../contract/nouns/template-content.ts';

export type TemplateFieldName = keyof TemplateContent;

type Field = Omit<FormField, 'id' | 'problem'> & {
	readonly id: TemplateFieldName;
	/** Allowed values, and the default. */
	readonly rule: string;
};

const LAUNCH = 'more about the launch';
const MACHINES = 'machines and volume';
const REGISTRY = 'registry login';
const TEXTS = 'description and links';

export const templateFields: readonly Field[] = [
	{id: 'name', label: 'name', kind: 'text', rule: 'required'},
	{id: 'image', label: 'image', kind: 'text', rule: 'required; a Docker image path'},
	{id: 'tag', label: 'tag', kind: 'text', rule: 'default latest'},
	{
		id: 'runtype',
		label: 'runtype',
		kind: 'choice',
		choices: ['ssh', 'jupyter', 'args'],
		rule: 'ssh/jupyter/args, default args',
	},
	{id: 'ssh_direct', label: 'ssh direct', kind: 'flag', rule: 'recommended with ssh'},
	{id: 'recommended_disk_space', label: 'disk GB', kind: 'text', rule: 'default 8'},
	{id: 'env', label: 'env', kind: 'opens', rule: 'Enter opens names and ports'},
	{id: 'onstart', label: 'onstart', kind: 'long', rule: 'Ctrl-E edits in $EDITOR'},
	{id: 'private', label: 'private', kind: 'flag', rule: 'only you see it, default yes'},
	{
		id: 'use_ssh',
		label: 'SSH access',
		kind: 'flag',
		section: LAUNCH,
		rule: 'default yes but with args',
	},
	{
		id: 'args_str',
		label: 'arguments',
		kind: 'text',
		section: LAUNCH,
		rule: 'replaces the CMD, with args',
	},
	{
		id: 'jup_direct',
		label: 'jupyter direct',
		kind: 'flag',
		section: LAUNCH,
		rule: 'not through the proxy',
	},
	{
		id: 'jupyter_dir',
		label: 'jupyter folder',
		kind: 'text',
		section: LAUNCH,
		rule: 'where Jupyter starts',
	},
	{
		id: 'use_jupyter_lab',
		label: 'JupyterLab',
		kind: 'flag',
		section: LAUNCH,
		rule: 'in place of Notebook',
	},
	{
		id: 'extra_filters',
		label: 'machine filters',
		kind: 'text',
		section: MACHINES,
		rule: 'like gpu_ram>=16000',
	},
	{
		id: 'volume_info',
		label: 'volume',
		kind: 'text',
		section: MACHINES,
		rule: 'JSON; a hint, never attached',
	},
	{
		id: 'docker_login_repo',
		label: 'registry',
		kind: 'text',
		section: REGISTRY,
		rule: 'address; empty if not needed',
	},
	{
		id: 'docker_login_user',
		label: 'user',
		kind: 'text',
		section: REGISTRY,
		rule: 'who logs in there',
	},
	{
		id: 'docker_login_pass',
		label: 'token',
		kind: 'secret',
		section: REGISTRY,
		rule: 'never shown; empty leaves it',
	},
	{id: 'desc', label: 'description', kind: 'text', section: TEXTS, rule: 'one line'},
	{id: 'readme', label: 'readme', kind: 'long', section: TEXTS, rule: 'Ctrl-E edits in $EDITOR'},
	{
		id: 'readme_visible',
		label: 'readme shown',
		kind: 'flag',
		section: TEXTS,
		rule: 'to others, default yes',
	},
	{id: 'href', label: 'link', kind: 'text', section: TEXTS, rule: 'documentation of the image'},
	{
		id: 'repo',
		label: 'repository',
		kind: 'text',
		section: TEXTS,
		rule: 'where the image comes from',
	},
];
