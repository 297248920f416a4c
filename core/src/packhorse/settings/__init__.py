"""The deployer's choices."""

from packhorse.settings.checking import problems
from packhorse.settings.loading import ALIASES, CONFIG_VARIABLE, HOSTS_OWN_TABLES, load, usual_file
from packhorse.settings.security import AuditSettings, AuthSettings, IssuerSettings, LoginClient, LoginSettings
from packhorse.settings.tables import (
    AUDIT_FILE,
    JOBS_FOLDER,
    LOGIN_FOLDER,
    MOUNTS_FOLDER,
    JobSettings,
    PackTable,
    ServerSettings,
    Settings,
    Transport,
    mounted_in,
    user_folder,
)

__all__ = [
    "ALIASES",
    "AUDIT_FILE",
    "CONFIG_VARIABLE",
    "HOSTS_OWN_TABLES",
    "JOBS_FOLDER",
    "LOGIN_FOLDER",
    "MOUNTS_FOLDER",
    "AuditSettings",
    "AuthSettings",
    "IssuerSettings",
    "JobSettings",
    "LoginClient",
    "LoginSettings",
    "PackTable",
    "ServerSettings",
    "Settings",
    "Transport",
    "load",
    "mounted_in",
    "problems",
    "user_folder",
    "usual_file",
]
