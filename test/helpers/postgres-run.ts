/** Takes the PostgreSQL of a run of tests away at its end, where a test has started one. */
import {endRun} from './postgres.ts';

export const teardown = endRun;
