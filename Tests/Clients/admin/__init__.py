"""The admin API, as gcloud, the Python admin client and firebase-tools use it."""
